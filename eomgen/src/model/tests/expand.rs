//! Loops, families, sums and parts: what they stand for, what is refused, and what they may cost.

use super::messages_with;
use crate::diag::{self, Diagnostic, Sources};
use crate::model::expand::{PartText, Surroundings};
use crate::model::{System, build_with};
use crate::syntax;

fn part(path: &str, text: &str) -> PartText {
    PartText {
        path: path.to_owned(),
        text: Ok(text.to_owned()),
    }
}

/// The system without the places in the text.
fn bare(text: &str, parts: &[PartText]) -> String {
    let (system, found) = messages_with(text, parts);
    let mut sources = Sources::new("test.eom", text);
    for part in parts {
        sources.add(&part.path, part.text.as_deref().unwrap());
    }
    let shown = diag::render_sources(&sources, &found, false);
    assert!(found.is_empty(), "{shown}");
    let system = System {
        fixed: vec![],
        copies: Default::default(),
        ..system.unwrap()
    };
    let text = format!("{system:?}");
    // `Span { file: 0, start: 1, end: 2, copy: 0 }` holds no braces.
    let mut pieces = text.split("Span {");
    let mut out = pieces.next().unwrap().to_owned();
    for piece in pieces {
        out.push_str(piece.split_once('}').unwrap().1);
    }
    out
}

#[test]
fn loops_and_sums_stand_for_what_they_write_out() {
    let short = "model m\nconst n = 1 + 1, k = n*2 - 3\nparam m[1..n] = [1, 2.5] : kg > 0\nparam g : m/s^2\n\
        coord q[k..n] = 0.1 : rad\nfunction h[1..1](q[1]) : m\npoint P[0] = O\nfor i in 1..n {\n\
        /// a link\nframe B[i] = rotate(N, i*q[i], N.z)\npoint P[i] = P[i-1] + 1 [m]*B[i].x\n\
        particle A[i]: mass m[i] at P[i]\nconstraint c[i]: q[i]' = q[n]'*(i - 5)*2\nfor j in i..1 {\n\
        force on P[j], opposite on P[0]: m[i]*g*N.x\n}\n}\nfor i in 3..2 {\nforce on Q: 0\n}\n\
        output e = sum(i in 1..n, sum(j in 1..i, m[j])*q[i]'^2)\noutput z = sum(i in 2..1, m[i]) + q[1]\noutput w = h[1](q[2])";
    let long = "model m\nparam m[1] = 1, m[2] = 2.5 : kg > 0\nparam g : m/s^2\n\
        coord q[1] = 0.1, q[2] = 0.1 : rad\nfunction h[1](q[1]) : m\npoint P[0] = O\n\
        /// a link\nframe B[1] = rotate(N, 1*q[1], N.z)\npoint P[1] = P[0] + 1 [m]*B[1].x\n\
        particle A[1]: mass m[1] at P[1]\nconstraint c[1]: q[1]' = q[2]'*(1 - 5)*2\n\
        force on P[1], opposite on P[0]: m[1]*g*N.x\n\
        /// a link\nframe B[2] = rotate(N, 2*q[2], N.z)\npoint P[2] = P[1] + 1 [m]*B[2].x\n\
        particle A[2]: mass m[2] at P[2]\nconstraint c[2]: q[2]' = q[2]'*(2 - 5)*2\n\
        output e = (m[1]*q[1]'^2 + (m[1] + m[2])*q[2]'^2)\noutput z = 0 + q[1]\noutput w = h[1](q[2])";
    assert_eq!(bare(short, &[]), bare(long, &[]));
}

#[test]
fn long_sums_are_added_in_order_without_deep_trees() {
    let text = "model m\nparam m : kg > 0\ncoord x[1..1000] : m\npoint P = O + sum(i in 1..1000, i*x[i])*N.x\nparticle A: mass m at P";
    let (system, found) = messages_with(text, &[]);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(system.unwrap().coords.len(), 1000);
}

const LEG: &str = "part leg\nneeds point hip\nneeds frame base\nneeds scalar k\nconst n = 1\nparam l[1..n] = 0.5 : m > 0\n\
    param m : kg > 0\ncoord q[1..n] : rad\npoint J[0] = hip\nfor i in 1..n {\nframe B[i] = rotate(base, q[i], base.z)\n\
    point J[i] = J[i-1] + l[i]*B[i].x\nparticle A[i]: mass m at J[i]\ngeneralized q[i]: -k*q[i]\n}\npoint foot = J[n]";

#[test]
fn parts_stand_for_their_statements_under_a_prefix() {
    let short = "model m\nparam K : N*m\nparam M, r : kg > 0\ncoord x : m\npoint P = O + x*N.x\n\
        use \"leg.eom\" as left(hip = P, base = N, k = K, n = 2, l = [0.1, 0.2])\n\
        use \"leg.eom\" as right(hip = left.foot + x*N.y, base = left.B[1], k = 2*K, m = M)\n\
        force on left.foot: K/x*left.B[2].y\noutput z = left.q[1]' + right.q[1]'\noutput v = right.foot - O";
    let long = "model m\nparam K : N*m\nparam M, r : kg > 0\ncoord x : m\npoint P = O + x*N.x\n\
        param l_l1 = 0.1, l_l2 = 0.2 : m > 0\nparam l_m : kg > 0\ncoord l_q1, l_q2 : rad\npoint l_J0 = P\n\
        frame l_B1 = rotate(N, l_q1, N.z)\npoint l_J1 = l_J0 + l_l1*l_B1.x\nparticle l_A1: mass l_m at l_J1\ngeneralized l_q1: -K*l_q1\n\
        frame l_B2 = rotate(N, l_q2, N.z)\npoint l_J2 = l_J1 + l_l2*l_B2.x\nparticle l_A2: mass l_m at l_J2\ngeneralized l_q2: -K*l_q2\n\
        point l_foot = l_J2\n\
        point r_hip = l_foot + x*N.y\nlet r_k = 2*K\nparam r_l1 = 0.5 : m > 0\nassume M > 0\ncoord r_q1 : rad\npoint r_J0 = r_hip\n\
        frame r_B1 = rotate(l_B1, r_q1, l_B1.z)\npoint r_J1 = r_J0 + r_l1*r_B1.x\nparticle r_A1: mass M at r_J1\ngeneralized r_q1: -r_k*r_q1\n\
        point r_foot = r_J1\n\
        force on l_foot: K/x*l_B2.y\noutput z = l_q1' + r_q1'\noutput v = r_foot - O";
    let mut found = bare(short, &[part("leg.eom", LEG)]);
    for (side, letter) in [("left", "l"), ("right", "r")] {
        for name in ["l", "q", "B", "A", "J"] {
            for i in 0..3 {
                let (long, short) = (
                    format!("\"{side}.{name}[{i}]\""),
                    format!("\"{letter}_{name}{i}\""),
                );
                found = found.replace(&long, &short);
            }
        }
        for name in ["m", "foot", "hip", "k"] {
            found = found.replace(
                &format!("\"{side}.{name}\""),
                &format!("\"{letter}_{name}\""),
            );
        }
    }
    assert_eq!(found, bare(long, &[]));
}

#[test]
fn parts_use_parts_and_arguments_may_come_in_any_order() {
    let text = "model m\nuse \"a/two.eom\" as second(root = first.one.end, b = B)\nuse \"a/two.eom\" as first(root = O, b = B)\n\
        coord p : rad\nframe B = rotate(N, p, N.z)\noutput r = second.one.q + first.other.q";
    let two = "part two\nneeds point root\nneeds frame b\nuse \"link.eom\" as one(from = root, base = b)\n\
        use \"../a/link.eom\" as other(from = one.end, base = b)\npoint last = other.end";
    let link = "part link\nneeds point from\nneeds frame base\nparam l : m > 0\nparam m : kg > 0\ncoord q : rad\n\
        frame B = rotate(base, q, base.z)\npoint end = from + l*B.x\nparticle A: mass m at end";
    let parts = [part("a/two.eom", two), part("a/link.eom", link)];
    let (system, found) = messages_with(text, &parts);
    assert!(found.is_empty(), "{found:?}");
    let system = system.unwrap();
    let names: Vec<_> = system.coords.iter().map(|c| c.meta.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "second.one.q",
            "second.other.q",
            "first.one.q",
            "first.other.q",
            "p"
        ]
    );
}

fn shown(text: &str, parts: &[PartText], set: &[(String, i64)]) -> (Vec<Diagnostic>, String) {
    let around = Surroundings {
        path: "model.eom",
        parts,
        set,
    };
    let parsed = syntax::parse(text);
    let (_, found) = build_with(&parsed.file, around);
    let mut all = parsed.diagnostics;
    all.extend(found);
    let mut sources = Sources::new("model.eom", text);
    for part in parts {
        sources.add(&part.path, part.text.as_deref().unwrap_or(""));
    }
    let text = diag::render_sources(&sources, &all, false);
    (all, text)
}

/// Each text with its messages, all in one snapshot.
fn snapshot(name: &str, texts: &[(&str, &str)], parts: &[PartText]) {
    let mut out = String::new();
    for (code, text) in texts {
        let (found, shown) = shown(text, parts, &[]);
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        assert_eq!(
            codes,
            code.split(' ').collect::<Vec<_>>(),
            "{text}\n{shown}"
        );
        out.push_str(&format!("{shown}\n----------\n\n"));
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| insta::assert_snapshot!(name, out));
}

#[test]
fn messages_about_families_and_loops() {
    let start = "model m\nconst n = 3\nparam m : kg > 0\nparam k[1..3] : N\ncoord x[1..n] : m\npoint P[0] = O\n";
    let text = |lines: &str| {
        format!("{start}{lines}\nparticle A: mass m at P[0]\noutput s = x[1] + x[2] + x[3]")
    };
    let texts = [
        (
            "E0400",
            text("for i in 1..n {\npoint Q[i] = P[i] + x[i]*N.x\n}"),
        ),
        ("E0400", text("for i in 0..n {\nforce on P[0]: k[i]*N.x\n}")),
        (
            "E0400 E0403",
            text("for i in 1..2 {\nfor j in 1..2 {\nforce on P[i - j]: 0\n}\n}"),
        ),
        ("E0401", text("force on P[0]: m[1]*k[1]*N.x")),
        ("E0401", text("force on P[0]: k[1][2]*N.x")),
        ("E0402", text("force on P[0]: k*N.x")),
        ("E0402", text("force on P: k[1]*N.x")),
        ("E0403", text("force on P[0]: k[m]*N.x")),
        ("E0403", text("force on P[0]: k[i]*N.x")),
        ("E0403", text("force on P[0]: k[3/2]*N.x")),
        ("E0403", text("force on P[0]: k[1 - n]*N.x")),
        ("E0403", text("force on P[0]: k[1.5]*N.x")),
        ("E0403", text("for i in 1..m {\nforce on P[0]: k[i]*N.x\n}")),
        ("E0403", text("const a = b, b = a")),
        ("E0403", text("param c [kg]")),
        (
            "E0404",
            text("for i in 1..n {\npoint Q[1] = O + x[i]*N.x\n}"),
        ),
        ("E0404", text("point k[1] = O")),
        ("E0404", text("coord x : m")),
        ("E0405", text("for m in 1..n {\nforce on P[0]: k[m]*N.x\n}")),
        ("E0405", text("for n in 1..n {\nforce on P[0]: k[n]*N.x\n}")),
        ("E0405", text("output q = sum(m in 1..n, x[m])")),
        ("E0405", text("param n : kg")),
        ("E0101", text("for i in 1..n {\nforce on Q[i]: 0\n}")),
        (
            "E0105",
            text("for i in 1..n {\noutput r[i] = x[i] + vel(P[0])\n}"),
        ),
        ("E0416", text("point Q[1..n] = O")),
        ("E0416", text("force on P[0..1]: k[1]*N.x")),
        ("E0400 E0400", text("group S: A, P[1..2]")),
        ("E0417", text("param c[1..n] = [1, 2] : kg")),
        ("E0409", text("for i in 1..n {\nconst p = 3\n}")),
        ("E0409", text("needs point R")),
        (
            "E0406",
            text("for i in 1..n {\nforce on P[0]: k[i]*N.x\n}\n}"),
        ),
        ("E0004", text("for i in 1..n\nforce on P[0]: k[1]*N.x\n}")),
        ("E0004", text("for i in 1 {\nforce on P[0]: k[i]*N.x\n}")),
        ("E0410", text("use \"no/leg.eom\" as left")),
        (
            "E0418",
            "part leg\nneeds point P\nparticle A: mass 1 at P".to_owned(),
        ),
    ];
    let texts: Vec<_> = texts
        .iter()
        .map(|(code, text)| (*code, text.as_str()))
        .collect();
    snapshot("families", &texts, &[]);
}

#[test]
fn messages_about_parts() {
    let part_of = |lines: &str| {
        format!(
            "part p\nneeds point P\nparam m : kg > 0\nparam l : m\n{lines}\nparticle A: mass m at P"
        )
    };
    let parts = [
        part(
            "good.eom",
            &part_of("coord q = 0 : m\nconst n = 2\noutput s = q + l"),
        ),
        part(
            "range.eom",
            &part_of("coord q[1..2] : m\noutput s = q[3] + q[1] + q[2]"),
        ),
        part("unit.eom", &part_of("coord q : m\noutput s = q + q'")),
        part("outside.eom", &part_of("coord q : m\noutput s = q + x")),
        part("unknown.eom", &part_of("coord q : m\noutput s = q + y")),
        part("gravity.eom", &part_of("coord q : m\ngravity: q*N.x")),
        part("syntax.eom", &part_of("coord q : [m]\n")),
        part("self.eom", &part_of("use \"self.eom\" as inner(P = P)")),
        part("round.eom", &part_of("use \"trip.eom\" as inner(P = P)")),
        part("trip.eom", &part_of("use \"round.eom\" as inner(P = P)")),
        part("whole.eom", "model whole\ncoord q : m"),
        PartText {
            path: "locked.eom".to_owned(),
            text: Err("it is locked".to_owned()),
        },
    ];
    let text = |lines: &str| {
        format!(
            "model m\nparam M : kg > 0\ncoord x : m\npoint Q = O + x*N.x\nframe F = rotate(N, x/1 [m], N.z)\nparticle A: mass M at Q\n{lines}"
        )
    };
    let texts = [
        ("E0400", text("use \"range.eom\" as a(P = Q)")),
        (
            "E0201",
            text("for i in 1..2 {\nuse \"unit.eom\" as a[i](P = Q)\n}"),
        ),
        ("E0415", text("use \"outside.eom\" as a(P = Q)")),
        ("E0101", text("use \"unknown.eom\" as a(P = Q)")),
        (
            "E0409",
            text("use \"gravity.eom\" as a(P = Q)\noutput s = a.q"),
        ),
        ("E0012", text("use \"syntax.eom\" as a(P = Q)")),
        ("E0411", text("use \"self.eom\" as a(P = Q)")),
        ("E0411", text("use \"round.eom\" as a(P = Q)")),
        ("E0412", text("use \"whole.eom\" as a(P = Q)")),
        ("E0410", text("use \"locked.eom\" as a(P = Q)")),
        ("E0413", text("use \"good.eom\" as a(P = F)")),
        ("E0413", text("use \"good.eom\" as a(P = Q, P = O)")),
        ("E0413", text("use \"good.eom\" as a(P = Q, mm = 3)")),
        ("E0413", text("use \"good.eom\" as a(P = Q, q = x)")),
        ("E0403", text("use \"good.eom\" as a(P = Q, n = M)")),
        ("E0414", text("use \"good.eom\" as a(l = 3)")),
        ("E0101", text("use \"good.eom\" as a(P = R)")),
        (
            "E0101",
            text("use \"good.eom\" as a(P = Q)\noutput s = a.r"),
        ),
        ("E0104", text("use \"good.eom\" as a(P = Q)\noutput s = a")),
        ("E0102", text("use \"good.eom\" as a(P = Q)\nparam a : m")),
        (
            "E0411",
            text("use \"good.eom\" as a(P = b.P)\nuse \"good.eom\" as b(P = a.P)"),
        ),
    ];
    let texts: Vec<_> = texts
        .iter()
        .map(|(code, text)| (*code, text.as_str()))
        .collect();
    snapshot("parts", &texts, &parts);
}

#[test]
fn constants_can_be_set() {
    let text = "model m\nconst n = 2, k = n + 1\nparam m : kg > 0\ncoord x[1..k] : m\nfor i in 1..k {\npoint P[i] = O + x[i]*N.x\nparticle A[i]: mass m at P[i]\n}";
    let count = |set: &[(&str, i64)]| {
        let set: Vec<_> = set.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        let parsed = syntax::parse(text);
        let around = Surroundings {
            set: &set,
            ..Surroundings::default()
        };
        let (system, found) = build_with(&parsed.file, around);
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        (system.map(|s| s.coords.len()), codes)
    };
    assert_eq!(count(&[]), (Some(3), vec![]));
    assert_eq!(count(&[("n", 20)]), (Some(21), vec![]));
    assert_eq!(count(&[("k", 1)]), (Some(1), vec![]));
    assert_eq!(count(&[("m", 1)]), (None, vec!["E0408"]));
    assert_eq!(count(&[("n", -5)]), (None, vec!["E0124", "E0152"]));
}

#[test]
fn enormous_counts_are_refused_at_once() {
    let deep = |depth: usize, body: &str| {
        let open: String = (0..depth)
            .map(|i| format!("for i{i} in 1..100 {{\n"))
            .collect();
        format!(
            "model m\ncoord x[1..3] : m\n{open}{body}\n{}",
            "}\n".repeat(depth)
        )
    };
    let sums = (0..12).fold("x[1]".to_owned(), |inner, i| {
        format!("sum(s{i} in 1..100, {inner})")
    });
    let wide = format!("output o[i] = {}", vec!["x[1]"; 2000].join(" + "));
    let texts = [
        "model m\ncoord x[1..1000000000] : m".to_owned(),
        "model m\ncoord x[1..1000000000][1..1000000000] : m".to_owned(),
        "model m\ncoord x : m\nfor i in 1..1000000000 {\n}".to_owned(),
        "model m\ncoord x : m\nfor i in 0-9000000000000000000..9000000000000000000 {\npoint P[i] = O\n}".to_owned(),
        "model m\ncoord x : m\noutput o = sum(i in 1..1000000000, x)".to_owned(),
        deep(4, ""),
        deep(16, "point P[i0] = O"),
        deep(1, &format!("output o[i0] = {sums}")),
        format!("model m\ncoord x[1..3] : m\noutput o = {sums}"),
        format!("model m\ncoord x[1..3] : m\nfor i in 1..10000 {{\n{wide}\n}}"),
    ];
    for text in &texts {
        let (system, found) = messages_with(text, &[]);
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        let short: String = text.chars().take(80).collect();
        assert!(
            system.is_none() && codes.contains(&"E0407") || codes.contains(&"E0008"),
            "{short}: {codes:?}"
        );
        assert!(found.len() < 10, "{short}: {codes:?}");
    }
    let twice = "part p\nuse \"p.eom\" as a\nuse \"p.eom\" as b";
    let doubling: Vec<PartText> = (0..16)
        .map(|i| {
            part(
                &format!("p{i}.eom"),
                &format!(
                    "part p\nuse \"p{}.eom\" as a\nuse \"p{}.eom\" as b",
                    i + 1,
                    i + 1
                ),
            )
        })
        .chain([part("p.eom", twice)])
        .collect();
    for text in [
        "model m\nuse \"p0.eom\" as a",
        "model m\nuse \"p.eom\" as a",
    ] {
        let (system, found) = messages_with(text, &doubling);
        assert!(
            system.is_none() && !found.is_empty() && found.len() < 40,
            "{}",
            found.len()
        );
    }
}

#[test]
fn a_wrong_name_in_a_long_loop_is_told_once_and_soon() {
    let text = "model m\nconst n = 1000\nparam m[1..n] : kg > 0\ncoord x : m\npoint P[0] = O + x*N.x\nfor i in 1..n {\n\
        point P[i] = P[i - 1] + x*N.y\nparticle A[i]: mass m[i] at Q[i]\n}";
    let (_, found) = messages_with(text, &[]);
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0101"]);
    assert!(
        found[0].notes.iter().any(|note| note.contains("999 more")),
        "{found:?}"
    );
}

/// In a part and in a family as elsewhere; coordinates, rates and declared speeds.
#[test]
fn motions_start_where_the_model_says() {
    let arm = part(
        "arm.eom",
        "part arm\nneeds point root\nparam m = 1 : kg > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint P = root + 0.3 [m]*B.x\n\
         particle K: mass m at P\nspeed v = dot(vel(P), B.y)\ninitial q = 30 [deg], v = 2\n",
    );
    let text = "model two\ncoord s[1..2] : m\nparam M : kg > 0\nfor i in 1..2 {\npoint R[i] = O + s[i]*N.x\n\
        particle A[i]: mass M at R[i]\ninitial s[i] = i/4, s[i]' = -i\n}\n\
        use \"arm.eom\" as left(root = R[1])\n";
    let (system, messages) = super::messages_with(text, &[arm]);
    let system = system.unwrap_or_else(|| panic!("{messages:?}"));
    let number = |r: &Option<crate::model::system::Rational>| {
        r.as_ref().and_then(num_traits::ToPrimitive::to_f64)
    };
    let found: Vec<(&str, Option<f64>, Option<f64>)> = system
        .coords
        .iter()
        .map(|c| {
            (
                c.meta.name.as_str(),
                number(&c.initial),
                number(&c.initial_rate),
            )
        })
        .collect();
    assert_eq!(found[0], ("s[1]", Some(0.25), Some(-1.0)));
    assert_eq!(found[1], ("s[2]", Some(0.5), Some(-2.0)));
    let (name, angle, rate) = found[2];
    assert_eq!((name, rate), ("left.q", None));
    assert!((angle.unwrap() - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
    assert_eq!(number(&system.speeds[0].initial), Some(2.0));
}

/// The initial values of coordinates, of their rates, and of speeds, by name.
fn starts(text: &str, parts: &[PartText]) -> Vec<(String, Option<f64>, Option<f64>)> {
    let (system, found) = messages_with(text, parts);
    assert!(found.is_empty(), "{text}: {found:?}");
    let system = system.unwrap();
    let number = |r: &Option<crate::model::system::Rational>| {
        r.as_ref().and_then(num_traits::ToPrimitive::to_f64)
    };
    let coords = system.coords.iter().map(|c| {
        let name = c.meta.name.clone();
        (name, number(&c.initial), number(&c.initial_rate))
    });
    let speeds = system.speeds.iter();
    let speeds = speeds.map(|u| (u.meta.name.clone(), number(&u.initial), None));
    coords.chain(speeds).collect()
}

#[test]
fn the_rate_that_a_speed_is_starts_as_the_speed_does() {
    let text = "model m\nparam m : kg > 0\ncoord x, y : m\nparticle A: mass m at O + x*N.x + y*N.y\nspeed u = x'\ninitial x' = 3, y' = 2\n";
    let found = starts(text, &[]);
    let entry = |name: &str, initial, rate| (name.to_owned(), initial, rate);
    assert_eq!(
        found,
        [
            entry("x", None, None),
            entry("y", None, Some(2.0)),
            entry("u", Some(3.0), None)
        ]
    );
}

/// A part that says where it starts, and the same one without.
const ARM: &str = "part arm\nneeds point root\nparam m = 1 : kg > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\n\
    point P = root + 0.3 [m]*B.x\nparticle K: mass m at P\nspeed v = dot(vel(P), B.y)\n";

#[test]
fn what_is_given_to_a_part_replaces_its_initial_value() {
    let arm = part("arm.eom", &format!("{ARM}initial q = 0.25, v = 2\n"));
    let of = |line: &str| starts(&format!("model m\n{line}\n"), std::slice::from_ref(&arm));
    let name = str::to_owned;
    // The value of the coordinate is replaced, that of the speed stays.
    assert_eq!(
        of("use \"arm.eom\" as a(root = O, q = 0.5)"),
        [
            (name("a.q"), Some(0.5), None),
            (name("a.v"), Some(2.0), None)
        ]
    );
    assert_eq!(
        of("for i in 1..2 {\nuse \"arm.eom\" as a[i](root = O, q = i)\n}")[..2],
        [
            (name("a[1].q"), Some(1.0), None),
            (name("a[2].q"), Some(2.0), None)
        ]
    );
    // Families too, whose elements are given together.
    let text = "part row\ncoord s[1..2] : m\nfor i in 1..2 {\npoint P[i] = O + s[i]*N.x\nparticle A[i]: mass 1 [kg] at P[i]\n}\n\
        initial s[1] = 3, s[1]' = 4\ninitial s[2] = 5\n";
    let row = part("row.eom", text);
    assert_eq!(
        starts("model m\nuse \"row.eom\" as r(s = [6, 7])\n", &[row]),
        [
            (name("r.s[1]"), Some(6.0), Some(4.0)),
            (name("r.s[2]"), Some(7.0), None)
        ]
    );
    // A parameter starts nowhere, whether it is given or not.
    let wrong = part("arm.eom", &format!("{ARM}initial m = 2\n"));
    let text = "model m\nuse \"arm.eom\" as a(root = O, m = 3)\n";
    let (system, found) = messages_with(text, &[wrong]);
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    assert!(system.is_none());
    assert_eq!(codes, ["E0125"]);
}

#[test]
fn parts_get_initial_values_from_outside() {
    let arm = part("arm.eom", ARM);
    let text = "model m\nfor i in 1..2 {\nuse \"arm.eom\" as a[i](root = O)\ninitial a[i].q = i/2, a[i].v = -i\n}\n\
        initial a[2].q' = 3\n";
    let name = str::to_owned;
    assert_eq!(
        starts(text, &[arm]),
        [
            (name("a[1].q"), Some(0.5), None),
            (name("a[2].q"), Some(1.0), Some(3.0)),
            (name("a[1].v"), Some(-1.0), None),
            (name("a[2].v"), Some(-2.0), None)
        ]
    );
    // What the part states itself is stated twice then, and both places are shown.
    let arm = part("arm.eom", &format!("{ARM}initial q = 0.25\n"));
    let text = "model m\nuse \"arm.eom\" as a(root = O)\ninitial a.q = 1\n";
    let (system, found) = messages_with(text, &[arm]);
    assert!(system.is_none());
    assert_eq!((found.len(), found[0].code), (1, "E0125"));
    let files: Vec<u32> = found[0].labels.iter().map(|l| l.span.file).collect();
    assert_eq!(files, [0, 1]);
}

#[test]
fn initial_values_are_in_si_units() {
    let text = "model m\ncoord x, y : m\ncoord z = 1 : m\npoint P = O + x*N.x + y*N.y + z*N.z\nparticle A: mass 1 [kg] at P\nspeed v = y'\n\
        initial x = 2 [mm], x' = 36 [km/h], y' = 0.06,\n  v = 3*2 [cm/s]\n";
    let name = str::to_owned;
    // A speed says the same as the rate that it is.
    assert_eq!(
        starts(text, &[]),
        [
            (name("x"), Some(0.002), Some(10.0)),
            (name("y"), None, None),
            (name("z"), Some(1.0), None),
            (name("v"), Some(0.06), None)
        ]
    );
}

/// Initial values never change the equations: without them the model is the same.
#[test]
fn initial_values_change_nothing_else() {
    let text = "model m\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass 1 [kg] at P\nforce on P: -k*x*N.x\nspeed v = x'\n";
    let with = bare(&format!("{text}initial x = 1, x' = 2, v = 2\n"), &[]);
    let started = |n: i32, field: &str| {
        let ratio = crate::model::system::Rational::from_integer(n.into());
        format!("{field}: {:?}", Some(ratio))
    };
    let plain = with
        .replace(&started(1, "initial"), "initial: None")
        .replace(&started(2, "initial"), "initial: None")
        .replace(&started(2, "initial_rate"), "initial_rate: None");
    assert_ne!(with, plain);
    assert_eq!(plain, bare(text, &[]));
}
