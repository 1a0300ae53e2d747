(source_file) @local.scope
(for_statement) @local.scope
(sum) @local.scope

(for_statement variable: (identifier) @local.definition.var)
(sum variable: (identifier) @local.definition.var)

(const_declaration name: [(identifier) @local.definition.constant (element . (identifier) @local.definition.constant)])
(quantity name: [(identifier) @local.definition.parameter (element . (identifier) @local.definition.parameter)])
(signature name: [(identifier) @local.definition.function (element . (identifier) @local.definition.function)])
(let_statement name: [(identifier) @local.definition.var (element . (identifier) @local.definition.var)])
(speed_statement name: [(identifier) @local.definition.var (element . (identifier) @local.definition.var)])
(frame_statement name: [(identifier) @local.definition.type (element . (identifier) @local.definition.type)])
(point_statement name: [(identifier) @local.definition.var (element . (identifier) @local.definition.var)])
(particle_statement name: [(identifier) @local.definition.type (element . (identifier) @local.definition.type)])
(body_statement name: [(identifier) @local.definition.type (element . (identifier) @local.definition.type)])
(use_statement name: [(identifier) @local.definition.namespace (element . (identifier) @local.definition.namespace)])

(identifier) @local.reference
