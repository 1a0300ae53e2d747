; Written from the tables of words of the language: `EOMGEN_BLESS=1 cargo test -p eomgen --lib treesitter`.

(identifier) @variable

(comment) @comment
(documentation) @comment.documentation
(file_documentation) @comment.documentation
(string) @string
(number) @number
(unit_name) @type

(model_statement name: (identifier) @module)
(part_statement name: (identifier) @module)
(use_statement name: (identifier) @module)
(param_statement (quantity name: (identifier) @variable.parameter))
(param_statement (quantity name: (element . (identifier) @variable.parameter)))
(const_declaration name: (identifier) @constant)
(argument name: (identifier) @variable.parameter)
(signature name: (identifier) @function)
(frame_statement name: (identifier) @type)
(frame_statement name: (element . (identifier) @type))
(body_statement name: (identifier) @type)
(particle_statement name: (identifier) @type)
(field_expression field: (identifier) @variable.member)
(call_expression function: (identifier) @function.call)

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter
["+" "-" "*" "/" "^" "=" "==" "!=" "<" "<=" ">" ">=" "'" ".."] @operator

[
  "and" "else" "if" "not" "or" "then"
] @keyword.conditional

"for" @keyword.repeat

[
  "about" "along" "as" "assume" "at" "axis" "body" "box" "center" "centre"
  "color" "colour" "const" "constraint" "coord" "cylinder" "damper" "damping" "dissipation" "drawing"
  "event" "falling" "force" "frame" "from" "function" "generalized" "gravity" "group" "in"
  "inertia" "initial" "input" "kinetic" "length" "let" "line" "mass" "model" "motion"
  "needs" "nonideal" "normal" "on" "opposite" "output" "param" "part" "particle" "plane"
  "point" "potential" "privileged" "radius" "rate" "reaction" "rest" "rising" "roll" "scalar"
  "speed" "sphere" "spring" "state" "stiffness" "tension" "through" "to" "torque" "tube"
  "use" "vector"
] @keyword

(sum "sum" @function.builtin)
((call_expression function: (identifier) @function.builtin)
 (#any-of? @function.builtin "abs" "acc" "acc_at" "acos" "acosh" "angacc" "angmom" "angvel" "asin" "asinh" "atan" "atan2" "atanh" "clamp" "com" "contact_disc" "contact_sphere" "contact_torus" "cos" "cosh" "cross" "distance" "dot" "dt" "exp" "hypot" "kinetic" "ln" "log" "mag" "mass" "matrix" "max" "min" "momentum" "mrp" "norm" "quaternion" "reaction" "rodrigues" "rotate" "rotate_body" "rotate_space" "sign" "sin" "sinh" "sqrt" "step" "sum" "tan" "tanh" "unit" "vel" "vel_at"))
((identifier) @variable.builtin (#any-of? @variable.builtin "N" "O" "pi" "t"))
