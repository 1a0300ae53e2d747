(model_statement "model" @context name: (_) @name) @item
(part_statement "part" @context name: (_) @name) @item
(frame_statement "frame" @context name: (_) @name) @item
(point_statement "point" @context name: (_) @name) @item
(particle_statement "particle" @context name: (_) @name) @item
(body_statement "body" @context name: (_) @name) @item
(group_statement "group" @context name: (_) @name) @item
(let_statement "let" @context name: (_) @name) @item
(speed_statement "speed" @context name: (_) @name) @item
(output_statement "output" @context name: (_) @name) @item
(constraint_statement "constraint" @context name: (_) @name) @item
(reaction_statement "reaction" @context name: (_) @name) @item
(event_statement "event" @context name: (_) @name) @item
(drawing_statement "drawing" @context name: (_) @name) @item
(use_statement "use" @context name: (_) @name) @item
(param_statement "param" @context (quantity name: (_) @name)) @item
(coord_statement "coord" @context (quantity name: (_) @name)) @item
(state_statement "state" @context (quantity name: (_) @name)) @item
(input_statement "input" @context (quantity name: (_) @name)) @item
(const_statement "const" @context (const_declaration name: (_) @name)) @item
(function_statement "function" @context (signature name: (_) @name)) @item
(needs_statement "needs" @context name: (_) @name) @item
(energy_statement ["kinetic" "potential" "dissipation"] @context name: (_) @name) @item
(spring_statement ["spring" "damper"] @context name: (_) @name) @item
(for_statement "for" @context variable: (_) @name) @item
