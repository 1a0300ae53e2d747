(block) @indent.begin
(block "}" @indent.branch @indent.end)

[
  (parenthesized_expression)
  (call_expression)
  (list)
  (components)
  (entries)
] @indent.begin
