/// The value of a function and its partial derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet1<const N: usize> {
    /// The value.
    pub value: f64,
    /// The partial derivative with respect to each argument.
    pub gradient: [f64; N],
}
