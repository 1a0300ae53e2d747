/// The value of a function and its first and second partial derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet2<const N: usize> {
    /// The value.
    pub value: f64,
    /// The partial derivative with respect to each argument.
    pub gradient: [f64; N],
    /// The second partial derivatives; symmetric.
    pub hessian: [[f64; N]; N],
}
