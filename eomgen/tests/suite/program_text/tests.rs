use super::{TABLE, parse, print};
use eomgen::internals::ir::Program;

#[track_caller]
fn refuses(text: &str, line: usize, message: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!((error.line, error.message.as_str()), (line, message));
}

/// Five inputs and a user function, then these instructions from `%7` on.
fn program(instructions: &[String]) -> Program {
    let inputs = (0..5).map(|i| format!("%{} = input 0.{i}\n", i + 2));
    let rest = instructions.iter().enumerate();
    let rest = rest.map(|(i, line)| format!("%{} = {line}\n", i + 7));
    let head = "group \"inputs\" = \"a\", \"b\", \"c\", \"d\", \"e\"\nextern \"F\" arity 2 order 2\n%0 = 0\n%1 = 1\n";
    let last = 6 + instructions.len();
    let text = inputs.chain(rest).collect::<String>();
    parse(&format!("{head}{text}function \"f\"\n  output %{last}\n")).unwrap()
}

#[test]
fn every_word_reads_back() {
    let named = |count: usize| TABLE.iter().filter(move |row| row.arguments == count);
    let unary = named(1).map(|row| row.name).chain(["neg"]);
    let binary = named(2)
        .map(|row| row.name)
        .chain(["add", "sub", "mul", "div"]);
    let tests = ["less", "less_equal", "greater", "greater_equal"];
    let mut lines: Vec<String> = unary.map(|word| format!("{word} %2")).collect();
    lines.extend(binary.map(|word| format!("{word} %2 %3")));
    lines.extend(tests.map(|word| format!("select {word} %2 %3 %4 %5")));
    lines.extend(["pi", "-22/7", "call 0 %2 %3"].map(String::from));
    let call = 6 + lines.len();
    lines.extend(["value", "gradient 1", "hessian 0 1"].map(|part| format!("jet %{call} {part}")));
    let before = program(&lines);
    let after = parse(&print(&before)).unwrap();
    for value in before.graph.values() {
        assert_eq!(before.graph.op(value), after.graph.op(value));
    }
    assert_eq!(before.functions, after.functions);
    assert_eq!(before.interface, after.interface);
    let written = print(&before);
    for line in &lines {
        assert!(written.contains(&format!("= {line}")), "{line}");
    }
}

#[test]
fn names_may_hold_anything() {
    let mut before = program(&["pi".into()]);
    let odd = "x' = \"1\"; \\ \n\t\u{7f} é";
    before.functions[0].name = odd.into();
    before.interface.groups[0].entries[0] = odd.into();
    let value = before.functions[0].outputs[0];
    before.graph.name(value, odd);
    let after = parse(&print(&before)).unwrap();
    assert_eq!(after.functions[0].name, odd);
    assert_eq!(after.interface, before.interface);
    assert_eq!(after.graph.name_of(value), Some(odd));
}

#[test]
fn mistakes_are_located() {
    refuses("%2 = pi\n%3 = sin %4", 2, "%4 is not defined before this");
    refuses("%2 = pi\n%2 = 2", 2, "%2 is defined twice");
    refuses("%2 = pi\n%3 = pi", 2, "%3 is the same instruction as %2");
    refuses(
        "%2 = 2\n%3 = 3\n%4 = add %2 %3\n%5 = add %3 %2",
        4,
        "%5 is the same instruction as %4",
    );
    refuses("%2 = sin", 1, "the line ends too soon");
    refuses("%2 = pi pi", 1, "`pi` is too much");
    refuses(
        "%2 = sine %1",
        1,
        "`sine` is neither an instruction nor a number",
    );
    refuses(
        "%2 = 1/0",
        1,
        "`1/0` is neither an instruction nor a number",
    );
    refuses("%2 = input 1", 1, "`1` is not an input");
    refuses("%2 = input 256.0", 1, "`256.0` is not an input");
    refuses("%x = pi", 1, "`%x` is not a value");
    refuses("%2 pi", 1, "expected `=`, found `pi`");
    refuses("output %2", 1, "no function before this");
    refuses("\nprogram", 2, "`program` is not a declaration");
    refuses("function f", 1, "expected a name in quotes, found `f`");
    refuses("function \"f", 1, "a string without its end");
    refuses("function \"\\n\"", 1, "bad escape");
    refuses("function \"\\u{110000}\"", 1, "bad escape");
    refuses("\"f\"", 1, "expected a word, found \"f\"");
    refuses(
        "extern \"F\" arity x order 1",
        1,
        "`x` is not a number that fits here",
    );
    refuses(
        "group \"g\" = \"a\" \"b\"",
        1,
        "expected a word, found \"b\"",
    );
    refuses(
        "%2 = pi\n%3 = select eq %2 %2 %2 %2",
        2,
        "`eq` is not a comparison",
    );
    refuses(
        "%2 = call 0\n%3 = jet %2 third",
        2,
        "`third` is not a part of a jet",
    );
}
