//! What [`emit`](super::emit) is given: plain data, filled in by whoever derived the equations.

use crate::ir;
use crate::ir::Rational;
use crate::ir::Value;

/// Everything that a generated module says.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The model's name; the macro's module takes it.
    pub name: String,
    /// The model's file name, such as `sleigh.eom`.
    pub source_name: String,
    /// The model's text; only its hash is written.
    pub source_text: String,
    /// The options of the run (`method`, `form`, ...), in a fixed order: enough to make the file again.
    pub options: Vec<(String, String)>,
    /// The module's documentation: the equations, the assumptions, what was eliminated.
    pub docs: Vec<Block>,
    /// What the functions are, as lines for programs; without any there is no such constant.
    pub facts: Vec<String>,
    /// The parameters: fields of `Params`, entries of `Groups::params`.
    pub params: Vec<Field>,
    /// Whether all parameters have become numbers: then there is neither `Params` nor such an argument.
    pub no_params: bool,
    /// The inputs: fields of `Inputs`, entries of `Groups::inputs`. Without any there is no such argument.
    pub inputs: Vec<Field>,
    /// The state: fields of `State`, entries of the state array and of `Groups::state`.
    pub state: Vec<Field>,
    /// Which of the graph's input groups is what.
    pub groups: Groups,
    /// What the arguments of the generated functions are called.
    pub arguments: Arguments,
    /// The user's functions, in the order of [`ir::Op::Call`]'s indices. Without any there is no `Functions` trait.
    pub functions_trait: Vec<UserFunction>,
    /// Index enums, `StateIndex` among them.
    pub indices: Vec<IndexEnum>,
    /// Sizes such as `COORDINATES`. `STATES` is written from [`state`](Self::state) and may be absent here.
    pub constants: Vec<Constant>,
    /// The singular conditions; [`ir::Check::condition`] and [`EmittedFunction::routine_condition`] point here.
    pub conditions: Vec<Condition>,
    /// The expressions of all functions.
    pub graph: ir::Graph,
    /// The functions, in the order in which they are written.
    pub functions: Vec<EmittedFunction>,
    /// Where sines and square roots come from.
    pub math: Math,
    /// Whether `a*b + c` is written as one operation, `mul_add`.
    pub fma: bool,
    /// What the functions compute with.
    pub scalar: Scalar,
    /// Names of functions that are also written for many states at once; not for `Scalar::Generic`.
    pub batch: Vec<String>,
    /// The rows of the function that assembles, if the module is to have one.
    pub assembly: Option<Assembly>,
    /// The size of the result of the function that samples the linear model, if the module is to have one.
    pub sampling: Option<Sampling>,
    /// Functions of more operations are written in parts; 3000 if nothing is said.
    pub longest: Option<usize>,
    /// What the quick bodies of functions presume.
    pub presumed: Option<Presumed>,
    /// Values of equal branches, which functions compute side by side.
    pub branches: ir::Branches,
}

/// The size of a sampled model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Independent entries of the state.
    pub rows: usize,
    /// One more than those and the inputs.
    pub columns: usize,
}

/// Which rows a state has to satisfy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembly {
    /// The rows that restrict coordinates.
    pub positions: Vec<bool>,
    /// The rows that restrict speeds of the state, if any can be violated by them.
    pub velocities: Option<Vec<bool>>,
}

/// A piece of documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph (or several, or a table) of Markdown. Markdown's own characters are the writer's to escape.
    Text(String),
    /// A heading, without its `#`.
    Heading(String),
    /// Words of the model's: plain text, with the lines that it has.
    Words(String),
    /// Lines to be kept as they are, such as equations in Unicode; fenced as `text`.
    Math(Vec<String>),
    /// A list of Markdown items.
    List(Vec<String>),
}

impl From<&str> for Block {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A named number: a parameter, an input, an entry of the state or of an index enum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The model's name for it, such as `theta` or `x'`.
    pub name: String,
    /// Its unit as the model writes it; `"1"` if dimensionless, `None` if unknown.
    pub unit: Option<String>,
    /// The model's doc comment: plain text, whatever it looks like in Markdown.
    pub docs: String,
    /// Its value in `Default`, of use for parameters and inputs only.
    pub default: Option<Rational>,
}

/// Which of the graph's input groups ([`ir::Slot::group`]) is what. Groups of extra array arguments
/// are said by each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The time: one entry.
    pub time: u8,
    /// The state.
    pub state: u8,
    /// The parameters.
    pub params: u8,
    /// The inputs.
    pub inputs: u8,
}

impl Default for Groups {
    /// Time 0, state 1, parameters 2, inputs 3.
    fn default() -> Self {
        Self {
            time: 0,
            state: 1,
            params: 2,
            inputs: 3,
        }
    }
}

/// What the arguments of the generated functions are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The time.
    pub time: String,
    /// The state array. Not `x` unless asked for: models have a coordinate of that name, and
    /// locals never shadow arguments.
    pub state: String,
    /// The parameters.
    pub params: String,
    /// The inputs.
    pub inputs: String,
    /// The user's functions.
    pub functions: String,
}

impl Default for Arguments {
    /// `t`, `state`, `p`, `inputs`, `functions`.
    fn default() -> Self {
        Self {
            time: "t".to_owned(),
            state: "state".to_owned(),
            params: "p".to_owned(),
            inputs: "inputs".to_owned(),
            functions: "functions".to_owned(),
        }
    }
}

/// A function that the user of the generated code supplies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserFunction {
    /// The model's name for it.
    pub name: String,
    /// The names of its arguments.
    pub args: Vec<String>,
    /// The model's doc comment.
    pub docs: String,
    /// Its unit, as in a [`Field`].
    pub unit: Option<String>,
    /// Highest order of derivative asked of it: 0 the value, 1 also the gradient, 2 also the Hessian.
    pub order: u8,
}

/// A `#[repr(usize)]` enum whose variants index an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexEnum {
    /// The type's name, such as `StateIndex`.
    pub name: String,
    /// What it indexes.
    pub docs: String,
    /// One variant each, in order.
    pub entries: Vec<Field>,
}

/// A `pub const NAME: usize`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constant {
    /// Its name, in capitals.
    pub name: String,
    /// What it counts.
    pub docs: String,
    /// Its value.
    pub value: usize,
}

/// A condition under which formulas fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// The equation that must not hold, such as `sin(theta) = 0`.
    pub text: String,
    /// What it means, or what to do about it; may be empty.
    pub note: String,
}

/// The shape of a function's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// `f64`
    #[default]
    Scalar,
    /// `[f64; N]`
    Array(usize),
    /// `[[f64; C]; R]`, the outputs row by row.
    Matrix(usize, usize),
}

impl Shape {
    /// How many numbers.
    pub fn len(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Array(length) => length,
            Self::Matrix(rows, columns) => rows * columns,
        }
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// `[0.0; 3]` or `[f64; 3]`, by what its entries are.
    pub fn filled(self, entry: &str) -> String {
        match self {
            Self::Scalar => entry.to_owned(),
            Self::Array(length) => format!("[{entry}; {length}]"),
            Self::Matrix(rows, columns) => format!("[[{entry}; {columns}]; {rows}]"),
        }
    }

    /// Where an entry stands: `[3]`, or `[1][0]`.
    pub fn place(self, index: usize) -> String {
        match self {
            Self::Matrix(_, columns) => format!("[{}][{}]", index / columns, index % columns),
            _ => format!("[{index}]"),
        }
    }
}

/// The private functions of one that looks at the margin, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guarded {
    /// Returns the results by the quick plan, and behind them the margin.
    pub usual: String,
    /// Returns the results by the other plan.
    pub safe: String,
}

/// What quick bodies presume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presumed {
    /// Positive where it holds.
    pub margin: Value,
    /// Values that are wrong where it does not.
    pub solved: Vec<Value>,
    /// The coordinates that they take to stand still.
    pub still: Vec<String>,
}

/// An array argument of one function, after the state; such as the accelerations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtraArgument {
    /// Its name.
    pub name: String,
    /// The graph's input group that it supplies.
    pub group: u8,
    /// Its length.
    pub length: usize,
    /// Not an array but the struct of prepared parameters: its fields in the order of the group's entries.
    pub fields: Vec<String>,
}

/// A function to write.
#[derive(Clone, Debug, Default)]
pub struct EmittedFunction {
    /// Its name, such as `accelerations`.
    pub name: String,
    /// What it computes: the equations that it implements.
    pub docs: Vec<Block>,
    /// The shape of the result; its size is that of the body's outputs.
    pub output: Shape,
    /// What each output is, such as `x''`: for comments and for naming temporaries. May be shorter than the outputs.
    pub output_labels: Vec<String>,
    /// The outputs and the checks, in [`Module::graph`]. Its name is not read.
    pub body: ir::Function,
    /// Array arguments after the state.
    pub extra_args: Vec<ExtraArgument>,
    /// The condition to report where a numerical routine fails; required if one is used that can.
    pub routine_condition: Option<u32>,
    /// Of a private function the functions that call it.
    pub callers: Vec<String>,
    /// The same outputs by a quicker plan that presumes something, with the checks that it needs.
    pub quick: Option<ir::Function>,
    /// Conditions under which a function that it asks fails, and it with that one.
    pub inherited: Vec<u32>,
    /// If it looks at the margin of what is presumed, the functions between which it decides.
    pub guarded: Option<Guarded>,
}

/// Where sines and square roots come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Math {
    /// The methods of `f64`, for programs with `std`.
    #[default]
    Std,
    /// The crate `libm`, for programs without.
    Libm,
    /// Sines and cosines as a function of the module, everything else as [`Std`](Self::Std).
    Inline,
}

/// What the generated functions compute with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scalar {
    /// `f64`
    #[default]
    F64,
    /// `f32`
    F32,
    /// Anything that implements the trait `Scalar` of the module.
    Generic,
}

impl Scalar {
    /// The type's name inside the functions.
    pub fn type_name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::Generic => "T",
        }
    }

    /// What stands behind the names of types and functions that depend on it, such as `<T>` in `State<T>`.
    pub fn of(self) -> &'static str {
        match self {
            Self::Generic => "<T>",
            _ => "",
        }
    }

    /// What stands behind the names where they are declared.
    pub fn bound(self) -> &'static str {
        match self {
            Self::Generic => "<T: Scalar>",
            _ => "",
        }
    }

    /// A number as it is written.
    pub fn literal(self, number: f64) -> String {
        match self {
            Self::F64 => super::literal::literal(number),
            // Rounded twice, which moves the last bit in one of about a billion cases.
            Self::F32 => format!("{:?}", number as f32),
            Self::Generic => format!("T::from_f64({})", super::literal::literal(number)),
        }
    }

    /// Whether a number is finite once it is one of these.
    pub fn holds(self, number: f64) -> bool {
        match self {
            Self::F32 => (number as f32).is_finite(),
            _ => number.is_finite(),
        }
    }
}

/// How operations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Where the functions come from.
    pub math: Math,
    /// What is computed with.
    pub scalar: Scalar,
    /// Whether sums with products are fused.
    pub fma: bool,
}

impl Module {
    /// A function by its name.
    pub fn function(&self, name: &str) -> Option<&EmittedFunction> {
        self.functions.iter().find(|f| f.name == name)
    }

    /// The functions between which others decide.
    pub fn guards(&self) -> impl Iterator<Item = &Guarded> {
        self.functions.iter().filter_map(|f| f.guarded.as_ref())
    }

    /// How the module's operations are written. A generic type need not have the fused one.
    pub fn style(&self) -> Style {
        Style {
            math: self.math,
            scalar: self.scalar,
            fma: self.fma && self.scalar != Scalar::Generic,
        }
    }
}

impl From<Math> for Style {
    fn from(math: Math) -> Self {
        Self {
            math,
            ..Self::default()
        }
    }
}
