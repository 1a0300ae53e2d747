use super::*;
use crate::ir::testing::{Build, program};

#[track_caller]
fn refuses(text: &str, line: usize, message: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!((error.line, error.message.as_str()), (line, message));
}

#[test]
fn every_word_reads_back() {
    let functions = TABLE.iter().filter(|row| row.arguments == 1);
    let words = functions.map(|row| row.name).chain(["neg"]);
    let unary: Vec<String> = words.map(|word| format!("({word} a)")).collect();
    let binary = [
        "+", "-", "*", "/", "atan2", "^", "min", "max", "<", "<=", ">", ">=",
    ];
    let binary = binary.map(|word| match word.as_bytes()[0] {
        b'<' | b'>' => format!("({word} a b c d)"),
        _ => format!("({word} a b)"),
    });
    let others = ["pi", "-22/7", "(F a b)", "(Fb a b)"].map(String::from);
    let texts: Vec<String> = unary.into_iter().chain(binary).chain(others).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let before = program(Build::Raw, &texts);
    let after = parse(&print(&before)).unwrap();
    for value in before.graph.values() {
        assert_eq!(before.graph.op(value), after.graph.op(value));
    }
    assert_eq!(before.functions, after.functions);
    assert_eq!(before.interface, after.interface);
}

#[test]
fn names_may_hold_anything() {
    let mut before = program(Build::Raw, &["a"]);
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
