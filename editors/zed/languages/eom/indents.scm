(block "}" @end) @indent

(_ "(" ")" @end) @indent
(_ "[" "]" @end) @indent
