//! Modules made by hand, as a derivation would hand them to the emitter.

use eomgen::internals::emit::{
    Block, Condition, Constant, EmittedFunction, ExtraArgument, Field, IndexEnum, Math, Module,
    Shape, UserFunction,
};
use eomgen::internals::ir::{
    Binary, Check, Comparison, Function, Graph, Part, Rational, RoutineKind, Slot, Unary, Value,
};

/// A field with a unit and a doc comment.
pub fn field(name: &str, unit: &str, docs: &str) -> Field {
    Field {
        name: name.into(),
        unit: (!unit.is_empty()).then(|| unit.into()),
        docs: docs.into(),
        default: None,
    }
}

/// A field with a default value.
fn with_default(name: &str, unit: &str, docs: &str, numerator: i64, denominator: i64) -> Field {
    Field {
        default: Some(Rational::new(numerator.into(), denominator.into())),
        ..field(name, unit, docs)
    }
}

/// An input of a group of the default numbering.
pub fn input(graph: &mut Graph, group: u8, index: u32) -> Value {
    graph.input(Slot { group, index })
}

fn function(
    name: &str,
    docs: &str,
    output: Shape,
    labels: &[&str],
    outputs: Vec<Value>,
    checks: Vec<Check>,
) -> EmittedFunction {
    EmittedFunction {
        name: name.into(),
        docs: vec![Block::from(docs)],
        output,
        output_labels: labels.iter().map(|label| label.to_string()).collect(),
        body: Function {
            name: name.into(),
            outputs,
            checks,
        },
        ..EmittedFunction::default()
    }
}

/// The two-particle Chaplygin sleigh, O'Reilly et al., eqs 2.24-2.27: state (x, y, theta, u1, u2).
pub fn sleigh() -> Module {
    let mut g = Graph::new();
    let [_, _, theta, u1, u2] = [0, 1, 2, 3, 4].map(|index| input(&mut g, 1, index));
    let [m1, m2, l] = [0, 1, 2].map(|index| input(&mut g, 2, index));
    let (sin, cos) = (g.unary(Unary::Sin, theta), g.unary(Unary::Cos, theta));
    // v1 = u1 e1 - l u2 e2, so that the blade at P2 = P1 + l e1 has no sideways velocity.
    let side = g.mul(l, u2);
    let (along_x, side_x) = (g.mul(u1, cos), g.mul(side, sin));
    let (along_y, side_y) = (g.mul(u1, sin), g.mul(side, cos));
    let x_dot = g.add(along_x, side_x);
    let y_dot = g.sub(along_y, side_y);
    // (m1 + m2) u1' + m1 l u2^2 = 0,  m1 l^2 u2' - m1 l u1 u2 = 0
    let mass = g.add(m1, m2);
    let m1l = g.mul(m1, l);
    let u2_squared = g.mul(u2, u2);
    let centrifugal = g.mul(m1l, u2_squared);
    let quotient = g.div(centrifugal, mass);
    let u1_dot = g.neg(quotient);
    let turning = g.mul(u1, u2);
    let u2_dot = g.div(turning, l);
    let blade = g.mul(m2, turning);
    let squares = {
        let (u1_squared, side_squared) = (g.mul(u1, u1), g.mul(side, side));
        let (one, two) = (g.mul(mass, u1_squared), g.mul(m1, side_squared));
        let sum = g.add(one, two);
        let half = g.rational(&Rational::new(1.into(), 2.into()));
        g.mul(half, sum)
    };
    let state = vec![
        field("x", "m", "position of the first particle"),
        field("y", "m", ""),
        field("theta", "rad", "heading"),
        field("u1", "m/s", "velocity of P1 along the rod"),
        field("u2", "rad/s", ""),
    ];
    Module {
        name: "sleigh".into(),
        source_name: "sleigh.eom".into(),
        source_text: "model sleigh\n".into(),
        options: vec![
            ("method".into(), "kane".into()),
            ("form".into(), "auto".into()),
        ],
        docs: vec![
            Block::from("Chaplygin sleigh of two particles."),
            Block::Heading("Equations".into()),
            Block::Math(vec![
                "u1' = -m1 l u2^2 / (m1 + m2)".into(),
                "u2' = u1 u2 / l".into(),
            ]),
        ],
        params: vec![
            with_default("m1", "kg", "mass at P1", 2, 1),
            with_default("m2", "kg", "mass at P2", 1, 2),
            with_default("l", "m", "length of the massless rod", 1, 10),
        ],
        indices: vec![
            IndexEnum {
                name: "StateIndex".into(),
                docs: "Entries of the state.".into(),
                entries: state.clone(),
            },
            IndexEnum {
                name: "Speed".into(),
                docs: String::new(),
                entries: vec![field("u1", "m/s", ""), field("u2", "rad/s", "")],
            },
        ],
        state,
        constants: vec![Constant {
            name: "COORDINATES".into(),
            docs: "Number of coordinates.".into(),
            value: 3,
        }],
        functions: vec![
            function(
                "derivative",
                "Rate of the state.",
                Shape::Array(5),
                &["x'", "y'", "theta'", "u1'", "u2'"],
                vec![x_dot, y_dot, u2, u1_dot, u2_dot],
                vec![],
            ),
            function(
                "speed_rates",
                "Kane's equations solved for u'.",
                Shape::Array(2),
                &["u1'", "u2'"],
                vec![u1_dot, u2_dot],
                vec![],
            ),
            function(
                "blade_force",
                "Force of the blade.",
                Shape::Scalar,
                &[],
                vec![blade],
                vec![],
            ),
            function(
                "kinetic_energy",
                "Kinetic energy.",
                Shape::Scalar,
                &["T"],
                vec![squares],
                vec![],
            ),
        ],
        graph: g,
        ..Module::default()
    }
}

/// Appell's particle with its constraint stated twice, Udwadia 1996, eqs 32-43: user functions, a
/// chart that fails, a rank-revealing form, an input, an array argument.
pub fn appell() -> Module {
    let mut g = Graph::new();
    let [x, y, z, xd, yd, zd] = [0, 1, 2, 3, 4, 5].map(|index| input(&mut g, 1, index));
    let (t, mass, push) = (
        input(&mut g, 0, 0),
        input(&mut g, 2, 0),
        input(&mut g, 3, 0),
    );
    let fx_call = g.call(0, &[x, y, z]);
    let fy_call = g.call(0, &[y, z, x]);
    let h_call = g.call(1, &[x, t]);
    let fx = g.jet(fx_call, Part::Value);
    let fy = g.jet(fy_call, Part::Value);
    let [fz, gx, hxt] = [
        g.jet(h_call, Part::Value),
        g.jet(fx_call, Part::Gradient(2)),
        g.jet(h_call, Part::Hessian(0, 1)),
    ];
    let fz = g.add(fz, push);
    // The chart that eliminates x: q'' from (y'', z'') with x' in the denominator.
    let (fy_yd, fz_zd, fx_xd) = (g.mul(fy, yd), g.mul(fz, zd), g.mul(fx, xd));
    let power = g.add(fx_xd, fy_yd);
    let power = g.sub(power, fz_zd);
    let (xx, yy, zz) = (g.mul(xd, xd), g.mul(yd, yd), g.mul(zd, zd));
    let size = g.add(xx, yy);
    let size = g.add(size, zz);
    g.name(size, "v_squared");
    let ratio = g.div(power, size);
    let (cx, cy, cz) = (g.mul(ratio, xd), g.mul(ratio, yd), g.mul(ratio, zd));
    let (ax, ay, az) = (g.sub(fx, cx), g.sub(fy, cy), g.add(fz, cz));
    let slope = g.div(yd, xd);
    let slope = g.mul(slope, gx);
    let ax_chart = g.add(ax, slope);
    let checks = vec![
        Check {
            value: xd,
            scale: None,
            condition: 0,
        },
        Check {
            value: size,
            scale: Some(hxt),
            condition: 1,
        },
    ];
    // The same with dependent rows.
    let zero = g.zero();
    let two = g.integer(2);
    let neg_zd = g.neg(zd);
    let row = [xd, yd, neg_zd];
    let mut operands = Vec::new();
    for i in 0..3 {
        for j in 0..3 {
            operands.push(if i == j { mass } else { zero });
        }
    }
    operands.extend([fx, fy, fz].map(|f| g.mul(mass, f)));
    operands.extend(row);
    operands.extend(row.map(|entry| g.mul(two, entry)));
    operands.extend([zero, zero]);
    let both = g.routine(RoutineKind::Constrained { n: 3, m: 2 }, &operands);
    let q = [0, 1, 2].map(|index| g.element(both, index));
    let lambda = [3, 4].map(|index| g.element(both, index));
    // Only the rows.
    let mut operands: Vec<Value> = row.to_vec();
    operands.extend(row.map(|entry| g.mul(two, entry)));
    operands.extend([xx, yy]);
    let least = g.routine(RoutineKind::MinimumNorm { rows: 2, cols: 3 }, &operands);
    let least = [0, 1, 2].map(|index| g.element(least, index));
    // A residual with accelerations as an argument.
    let given = [0, 1, 2].map(|index| input(&mut g, 7, index));
    let residual: Vec<Value> = (0..3)
        .map(|i| {
            let inertia = g.mul(mass, given[i]);
            g.sub(inertia, [fx, fy, fz][i])
        })
        .collect();
    let outer: Vec<Value> = (0..9).map(|k| g.mul(row[k / 3], row[k % 3])).collect();
    let energy = {
        let half = g.rational(&Rational::new(1.into(), 2.into()));
        let scaled = g.mul(half, mass);
        g.mul(scaled, size)
    };
    let labels = ["x''", "y''", "z''"];
    let state = ["x", "y", "z", "x'", "y'", "z'"]
        .map(|name| field(name, "", ""))
        .to_vec();
    let mut residual = function(
        "residual",
        "M q'' - F.",
        Shape::Array(3),
        &[],
        residual,
        vec![],
    );
    residual.extra_args = vec![ExtraArgument {
        name: "accelerations".into(),
        group: 7,
        length: 3,
        fields: Vec::new(),
    }];
    let rank_revealing = |mut f: EmittedFunction| {
        f.routine_condition = Some(2);
        f
    };
    Module {
        name: "appell".into(),
        source_name: "appell.eom".into(),
        params: vec![field("M", "kg", "Mass, as `M` in [1] or <there>.")],
        inputs: vec![field("push", "N/kg", "")],
        state: state.clone(),
        indices: vec![
            IndexEnum {
                name: "StateIndex".into(),
                docs: String::new(),
                entries: state,
            },
            IndexEnum {
                name: "Reaction".into(),
                docs: String::new(),
                entries: vec![],
            },
        ],
        functions_trait: vec![
            UserFunction {
                unit: None,
                name: "F".into(),
                args: ["x", "y", "z"].map(String::from).to_vec(),
                docs: "Force field".into(),
                order: 1,
            },
            UserFunction {
                unit: None,
                name: "h".into(),
                args: ["x", "t"].map(String::from).to_vec(),
                docs: String::new(),
                order: 2,
            },
        ],
        conditions: vec![
            Condition {
                text: "x' = 0".into(),
                note: "choose another chart".into(),
            },
            Condition {
                text: "x'^2 + y'^2 + z'^2 = 0".into(),
                note: "at rest".into(),
            },
            Condition {
                text: "the constraints contradict each other".into(),
                note: String::new(),
            },
        ],
        functions: vec![
            function(
                "accelerations",
                "The chart that eliminates x.",
                Shape::Array(3),
                &labels,
                vec![ax_chart, ay, az],
                checks.clone(),
            ),
            rank_revealing(function(
                "constrained_accelerations",
                "For rows of any rank.",
                Shape::Array(3),
                &labels,
                q.to_vec(),
                checks[..1].to_vec(),
            )),
            rank_revealing(function(
                "reactions",
                "",
                Shape::Array(2),
                &[],
                lambda.to_vec(),
                vec![],
            )),
            rank_revealing(function(
                "least",
                "Least norm.",
                Shape::Array(3),
                &labels,
                least.to_vec(),
                vec![],
            )),
            residual,
            function("outer", "A'A.", Shape::Matrix(3, 3), &[], outer, vec![]),
            function(
                "energy",
                "Energy.",
                Shape::Scalar,
                &[],
                vec![energy],
                checks[1..].to_vec(),
            ),
            function(
                "nothing",
                "Zeros.",
                Shape::Matrix(2, 2),
                &[],
                vec![zero; 4],
                vec![],
            ),
        ],
        graph: g,
        ..Module::default()
    }
}

/// Every operation, odd names, numbers of every kind.
pub fn everything(math: Math) -> Module {
    let mut g = Graph::new();
    let names = [
        "x",
        "p",
        "state",
        "out",
        "θ",
        "type",
        "Ω'",
        "very_long_name_of_a_coordinate_in_a_model",
    ];
    let s: Vec<Value> = (0..names.len() as u32)
        .map(|index| input(&mut g, 1, index))
        .collect();
    let parameters = [
        "mass",
        "M",
        "m",
        "x_",
        "sin_x",
        "a__b",
        "another_very_long_name_of_a_parameter",
    ];
    let p: Vec<Value> = (0..parameters.len() as u32)
        .map(|index| input(&mut g, 2, index))
        .collect();
    let pi = g.pi();
    let unary: Vec<Value> = [
        Unary::Neg,
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Asin,
        Unary::Acos,
        Unary::Atan,
        Unary::Sinh,
        Unary::Cosh,
        Unary::Tanh,
        Unary::Sqrt,
        Unary::Exp,
        Unary::Ln,
        Unary::Abs,
        Unary::Sign,
    ]
    .into_iter()
    .map(|op| g.unary(op, s[0]))
    .collect();
    let binary: Vec<Value> = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Atan2,
        Binary::Pow,
        Binary::Min,
        Binary::Max,
    ]
    .into_iter()
    .map(|op| g.binary(op, s[1], p[3]))
    .collect();
    let number = |g: &mut Graph, n: i64, d: i64| g.rational(&Rational::new(n.into(), d.into()));
    let numbers = [
        (1, 3),
        (-7, 2),
        (314, 100),
        (1, 1_000_000_000),
        (10_i64.pow(17), 1),
    ]
    .map(|(n, d)| number(&mut g, n, d));
    let constants: Vec<Value> = numbers
        .iter()
        .flat_map(|&c| {
            [
                g.mul(c, s[0]),
                g.add(s[2], c),
                g.sub(s[3], c),
                g.div(c, s[4]),
            ]
        })
        .collect();
    let literals: Vec<Value> = numbers.iter().map(|&c| g.unary(Unary::Sin, c)).collect();
    let powers = numbers.map(|c| g.binary(Binary::Pow, c, s[4]));
    let lesser = g.binary(Binary::Min, s[0], s[1]);
    let clamped = g.binary(Binary::Max, lesser, p[0]);
    let choice = g.select(Comparison::Less, s[0], p[0], s[1], p[1]);
    let sum = g.add(s[7], p[6]);
    let wide_choice = g.select(Comparison::GreaterEqual, sum, p[2], choice, s[5]);
    let angle = g.mul(pi, s[6]);
    let sine = g.unary(Unary::Sin, angle);
    let long_product = g.mul(s[7], p[6]);
    let long = g.div(long_product, sum);
    let long = g.add(long, sine);
    let long_call = g.binary(Binary::Atan2, long, sum);
    let chain = s.iter().chain(&p).fold(sum, |chain, &v| {
        let square = g.mul(v, v);
        let term = g.mul(square, sum);
        g.add(chain, term)
    });
    let select_only = g.select(Comparison::LessEqual, s[0], s[1], p[0], p[1]);
    let short_select = g.select(Comparison::Greater, s[0], s[1], s[2], s[3]);
    let outputs: Vec<Value> = [
        unary,
        binary,
        constants,
        literals,
        powers.to_vec(),
        vec![
            clamped,
            wide_choice,
            sine,
            long,
            long_call,
            chain,
            select_only,
            pi,
            numbers[0],
        ],
    ]
    .concat();
    let fallible = Check {
        value: chain,
        scale: Some(long_product),
        condition: 0,
    };
    Module {
        name: "everything".into(),
        source_name: "everything.eom".into(),
        params: parameters
            .map(|name| with_default(name, "1", "", 22, 7))
            .to_vec(),
        state: names.map(|name| field(name, "", "")).to_vec(),
        indices: vec![IndexEnum {
            name: "StateIndex".into(),
            docs: String::new(),
            entries: names.map(|name| field(name, "", "")).to_vec(),
        }],
        conditions: vec![Condition {
            text: "a \"quoted\" = 0".into(),
            note: String::new(),
        }],
        functions: vec![
            function(
                "all",
                "Everything.",
                Shape::Array(outputs.len()),
                &[],
                outputs,
                vec![],
            ),
            function("choice", "", Shape::Scalar, &[], vec![select_only], vec![]),
            function(
                "short_choice",
                "",
                Shape::Scalar,
                &[],
                vec![short_select],
                vec![],
            ),
            function(
                "some",
                "",
                Shape::Array(1),
                &["θ''"],
                vec![chain],
                vec![fallible],
            ),
            function("constant", "", Shape::Scalar, &[], vec![pi], vec![]),
            function("chain", "", Shape::Scalar, &[], vec![chain], vec![fallible]),
        ],
        graph: g,
        math,
        ..Module::default()
    }
}
