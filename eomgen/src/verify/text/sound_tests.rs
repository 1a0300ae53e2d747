use super::check;

const WHOLE: &str = "
pub const STATES: usize = 2;
pub struct Params { pub m: f64 }
pub struct Singular { pub condition: usize }
fn check(condition: usize, divisor: f64, scale: f64) -> Result<(), Singular> {
    if divisor.abs() > scale { Ok(()) } else { Err(Singular { condition }) }
}
pub fn matrix(t: f64, state: &[f64; STATES], p: &Params) -> [[f64; 2]; 2] {
    let x = state[0];
    let mut out = [[0.0; 2]; 2];
    out[0][1] = p.m * x + t;
    out
}
pub fn rates(t: f64, state: &[f64; STATES], p: &Params) -> Result<[f64; 2], Singular> {
    let matrix = matrix(t, state, p);
    check(0, matrix[0][1], 1.0)?;
    let (sin, cos) = matrix[0][1].sin_cos();
    let choice: f64 = if sin > 0.0 { 1.0 } else { cos };
    Ok([choice, 2.0 / matrix[0][1]])
}
";

fn read(text: &str) -> Result<(), String> {
    let file = syn::parse_file(text).unwrap();
    check(text, &file).map_err(|unreadable| unreadable.message)
}

#[test]
fn what_is_right_is_taken() {
    assert_eq!(read(WHOLE), Ok(()));
}

/// Each change is one that rustc refuses or warns of.
#[test]
fn what_rustc_refuses_is_refused() {
    let matrix = "    let matrix = matrix(t, state, p);\n";
    let table = [
        // Used before it is there: an item has the same name.
        (matrix, "", "`matrix` is no array"),
        (
            "[choice, 2.0",
            "[chosen, 2.0",
            "`chosen` is not known where it is used",
        ),
        (
            "matrix(t, state, p)",
            "matrix(t, state)",
            "`matrix` takes 3 arguments, and not 2",
        ),
        (
            "matrix(t, state, p)",
            "matrix(state, t, p)",
            "argument 1 of `matrix` is of another type",
        ),
        (
            "2.0 / matrix[0][1]",
            "2.0 / matrix[0]",
            "the two sides of `2.0/matrix[0]` are not alike",
        ),
        (
            "2.0 / matrix[0][1]",
            "2.0 / matrix[2][1]",
            "`matrix` has no entry 2",
        ),
        ("p.m * x", "p.k * x", "`Params` has no field `k`"),
        (
            "Ok([choice, 2.0 / matrix[0][1]])",
            "Ok([choice])",
            "the result is not `-> Result < [f64 ; 2] , Singular >`",
        ),
        (
            "Ok([choice, 2.0 / matrix[0][1]])",
            "[choice, 2.0]",
            "the result is not `-> Result < [f64 ; 2] , Singular >`",
        ),
        ("    out\n", "", "the result is not `-> [[f64 ; 2] ; 2]`"),
        ("let mut out", "let out", "`out` cannot be changed"),
        (
            "let x = state[0]",
            "let mut x = state[0]",
            "nothing changes `x`",
        ),
        ("p.m * x", "p.m", "nothing reads `x`"),
        (
            "let x = state[0];",
            "let x = state[0];\n    let x__y = x;",
            "rustc warns of the name `x__y`",
        ),
        (
            "check(0, matrix[0][1], 1.0)?",
            "matrix[0][1]?",
            "`matrix[0][1]` does not fail",
        ),
        (
            "let (sin, cos) = ",
            "let (sin, cos, tan) = ",
            "2 values are bound to 3 names",
        ),
        (
            "{ 1.0 } else",
            "{ [1.0] } else",
            "the branches of a choice are not alike",
        ),
        (
            "pub fn matrix",
            "pub fn rates(t: f64) -> f64 { t }\npub fn matrix",
            "`rates` is declared twice",
        ),
        (
            "pub m: f64",
            "pub m: f64, pub m: f64",
            "`m` is declared twice",
        ),
        (
            "&[f64; STATES], p: &Params) -> [[",
            "&[f64; SIZE], p: &Params) -> [[",
            "the length `SIZE` is not known",
        ),
        ("2.0 / matrix[0][1]", "2.0.sqrt()", "`2.0` has no type"),
        (
            "pub fn matrix",
            "// \u{202e}\npub fn matrix",
            "a character that turns the direction of writing",
        ),
    ];
    for (from, to, message) in table {
        let text = WHOLE.replacen(from, to, 1);
        assert_ne!(text, WHOLE, "{from}");
        let found = read(&text).expect_err(to);
        assert!(found.ends_with(message), "{from} -> {to}: {found}");
    }
}

#[test]
fn numbers_of_any_type_have_no_order() {
    let text = "trait Scalar {}\n\nfn above<T: Scalar>(a: T, b: T) -> bool {\n    a > b\n}\n";
    assert!(read(text).is_err());
    let plain = text.replace("<T: Scalar>", "").replace("T,", "f64,");
    assert_eq!(read(&plain.replace("b: T", "b: f64")), Ok(()));
}
