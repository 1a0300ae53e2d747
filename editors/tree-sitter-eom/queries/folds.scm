(for_statement) @fold
(body_statement) @fold
(if_expression) @fold
