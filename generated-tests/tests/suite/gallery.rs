//! The book's page of machines with pictures, and the pictures.
//!
//! `docs/gallery.md` is written from the table below and from what the models give:
//! `EOMGEN_BLESS=1 cargo test -p generated-tests --test suite gallery::the_page`.
#![cfg(feature = "pipeline")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use eomgen::internals::notation::{Math, Namer, Names, layout};
use eomgen::{Evaluator, internals::input::read_source};
use generated_tests::harness::derived;
use generated_tests::reference::model_source;

/// A machine of the page.
struct Machine {
    model: &'static str,
    title: &'static str,
    /// The formulation that the equations are shown by.
    method: &'static str,
    /// What is worth seeing; where the model comes from, its own file says.
    remark: &'static str,
}

const fn machine(
    model: &'static str,
    title: &'static str,
    method: &'static str,
    remark: &'static str,
) -> Machine {
    Machine {
        model,
        title,
        method,
        remark,
    }
}

const MACHINES: [Machine; 20] = [
    machine(
        "double_pendulum",
        "Double pendulum",
        "lagrange",
        "Both angles are measured from the vertical, so that the rods are coupled only through the difference of the angles.",
    ),
    machine(
        "bead_on_hoop",
        "Bead on a turning hoop",
        "lagrange",
        "The rotation of the hoop is a given function of time, not a coordinate, and time itself drops out of the equation.",
    ),
    machine(
        "n_pendulum_cart",
        "Pendulums on a cart",
        "kane",
        "The number of pendulums is a constant of the model: `--set n=10` gives ten.",
    ),
    machine(
        "furuta",
        "Furuta pendulum",
        "lagrange",
        "Only the arm has a motor when the second input is zero; both joints have friction.",
    ),
    machine(
        "crane",
        "Overhead crane",
        "kane",
        "The cable's length is a coordinate with its own force. The two swing angles are successive rotations.",
    ),
    machine(
        "ball_and_beam",
        "Ball and beam",
        "kane",
        "Rolling relates the ball's rotation to its position. The constraint is stated for velocities, and eliminated together with the dependent speed.",
    ),
    machine(
        "four_bar",
        "Four-bar linkage",
        "lagrange",
        "Three angles of a chain whose end comes back to the origin: the loop is one vector constraint, and one degree of freedom remains.",
    ),
    machine(
        "slider_crank",
        "Slider-crank",
        "kane",
        "The piston's bore is a scalar constraint between the crank's angle and that of the rod.",
    ),
    machine(
        "watt_governor",
        "Watt's governor",
        "maggi",
        "The links are distance constraints. Both connect to the sleeve.",
    ),
    machine(
        "gyropendulum",
        "Gyroscopic pendulum",
        "gibbs-appell",
        "The spin of the disc and the rotation of the axle are coupled by the angle of the shaft.",
    ),
    machine(
        "yo_yo",
        "Yo-yo",
        "lagrange",
        "The height of the hand is a function that the user of the generated code supplies, with its derivatives. The multiplier is the negative tension of the string.",
    ),
    machine(
        "pogo",
        "Hopper in stance",
        "lagrange",
        "The leg is a force along the line from the foot to the hip. The generated code reports where that line has no length.",
    ),
    machine(
        "e1_appell",
        "Appell's particle",
        "udwadia-kalaba",
        "The constraint is nonlinear in the velocities, and stated twice: the multipliers are not unique, but the motion is. \
         [Worked examples](examples.md#e1-appells-particle) compares these equations with the source's.",
    ),
    machine(
        "e4_sleigh",
        "Chaplygin sleigh",
        "kane",
        "The example of the [introduction](introduction.md). The blade under the second particle does no work, and yet the motion tends to steady gliding.",
    ),
    machine(
        "e5_wheel_axle",
        "Two wheels on an axle",
        "kane",
        "Each wheel rolls without slip, and the axle keeps them apart; one of these rows is redundant.",
    ),
    machine(
        "rolling_disc",
        "Rolling disc",
        "kane",
        "The speeds are the components of the angular velocity along axes fixed in the disc. These three remain independent under the no-slip condition.",
    ),
    machine(
        "snakeboard",
        "Snakeboard",
        "lagrange",
        "The rider turns the rotor and steers the axles, and the board moves forward although nothing pushes it.",
    ),
    machine(
        "quadrotor",
        "Quadrotor",
        "kane",
        "Four thrusts are inputs; the speeds are the components of the angular velocity in the airframe, the coordinates its angles.",
    ),
    machine(
        "whipple_bicycle",
        "Carvallo-Whipple bicycle",
        "kane",
        "Eight coordinates; both wheels touch the ground and roll. The front contact is a point of the ground in the plane of the front wheel.",
    ),
    machine(
        "ur5",
        "Robot arm",
        "kane",
        "All numbers are those of a real arm. There are no symbolic parameters; only angles, speeds and torques remain.",
    ),
];

/// Columns of the equations.
const WIDE: usize = 96;
/// Columns that a part which cannot be broken may take before it gets a name, as in `eomgen show`.
const PART: usize = 76;
/// Rows of text that equations may take and still be read.
const ROWS: usize = 40;

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn read(path: &std::path::Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.replace("\r\n", "\n")
}

fn picture(model: &str) -> String {
    read(&docs().join(format!("gallery/{model}.svg")))
}

/// The equations as a block of text; nothing if they are long.
fn equations(names: &Names, found: &Evaluator) -> Option<String> {
    let mut namer = Namer::new(names, PART);
    let mut named = Vec::new();
    let mut all = Vec::new();
    for line in &found.documentation().equations {
        if line.is_formula() {
            let (short, parts) = namer.shorten(&line.math);
            named.extend(parts);
            all.push(layout(&short, WIDE));
            continue;
        }
        // A constraint row whose derivative is long, beside equations that are not.
        let text = line.to_string();
        if !text.starts_with("row ") {
            return None;
        }
        all.push(vec![text.replace("q''", "q̈")]);
    }
    if !named.is_empty() {
        all.push(vec!["where".into()]);
    }
    for part in named {
        let math = Math::equation(Math::Symbol(part.name), part.value);
        all.push(layout(&math, WIDE));
    }
    let mut out = String::new();
    for rows in &all {
        // A blank row keeps apart what takes several.
        if rows.len() > 1 && !out.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        for row in rows {
            out.push_str(row.trim_end());
            out.push('\n');
        }
        if rows.len() > 1 {
            out.push('\n');
        }
    }
    let count: usize = all.iter().map(Vec::len).sum();
    (count > 0 && count <= ROWS).then(|| out.trim_end().to_owned())
}

/// `3 coordinates`
fn counted(n: usize, what: &str) -> String {
    let many = if n == 1 { "" } else { "s" };
    format!("{n} {what}{many}")
}

fn section(m: &Machine) -> String {
    let source = model_source(m.model).unwrap_or_else(|e| panic!("{}: {e:?}", m.model));
    let (system, _) = read_source(&source, &[]).unwrap_or_else(|e| panic!("{}: {e:?}", m.model));
    let found = derived(m.model, m.method).unwrap_or_else(|e| panic!("{}: {e:?}", m.model));
    let names = eomgen::internals::explain::names(&system);
    let head = system.docs.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows = match found.documentation().constraints.len() {
        0 => String::from("no constraints"),
        n => counted(n, "constraint row"),
    };
    let costs = found.costs();
    let (_, cost) = costs.iter().find(|(n, _)| n == "accelerations").unwrap();
    let mut page = format!("\n## {}\n\n", m.title);
    let svg = picture(m.model);
    let alt = title(&svg);
    writeln!(page, "![{alt}](gallery/{}.svg)\n", m.model).unwrap();
    let moving = format!("{} in motion, drawn from its model", m.title);
    writeln!(page, "![{moving}](gallery-motion/{}.svg)\n", m.model).unwrap();
    writeln!(page, "*{}.* {}\n", head.trim_end_matches('.'), m.remark).unwrap();
    writeln!(
        page,
        "`{}.eom`: {}, {rows}; {} operations (+ and −: {}, × and ÷: {}, sin and cos: {}){}.\n",
        m.model,
        counted(system.coords.len(), "coordinate"),
        cost.total(),
        cost.add + cost.sub,
        cost.mul + cost.div,
        cost.trig,
        match cost.routines {
            0 => "",
            _ => ", and an elimination with pivots at run time",
        }
    )
    .unwrap();
    match equations(&names, &found) {
        Some(text) => writeln!(page, "By `{}`:\n\n```text\n{text}\n```", m.method).unwrap(),
        None => writeln!(
            page,
            "By `{}`; the equations are long: `eomgen show {}.eom --method {}`.",
            m.method, m.model, m.method
        )
        .unwrap(),
    }
    page
}

fn page() -> String {
    let mut page = String::from(
        "# Gallery\n\nTwenty mechanisms from `generated-tests/models`, each with a picture, its motion, its equations and the cost of an evaluation. The text in italics is the head of the \
         model's file.\n\nThe motions are drawn by [`eomgen simulate --animate`](simulating.md#the-page) from the models alone; `sh docs/gallery-motion/make.sh` makes them.\n\nEquations are written as [`eomgen show`](show.md) writes them: λ with the name of a constraint row is its multiplier, u with a dot the derivative of a \
         speed.\nWide subexpressions are named and given below. With another `--method` the equations differ but the motion is the same ([formulations](formulations/index.md)). Operations are those of \
         `accelerations` in the\nmodule derived with this formulation, without those in parameters alone ([speed and size](performance.md)); operations not listed are negations,\nroots and selections.\n",
    );
    for m in &MACHINES {
        page.push_str(&section(m));
    }
    page
}

#[test]
fn the_page_of_machines_is_fresh() {
    let path = docs().join("gallery.md");
    let page = page();
    if std::env::var_os("EOMGEN_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let told = "run `EOMGEN_BLESS=1 cargo test -p generated-tests --test suite gallery`";
    assert!(read(&path) == page, "{told}");
}

/// What stands between `<title>` and `</title>`.
fn title(svg: &str) -> &str {
    let (_, rest) = svg.split_once("<title>").expect("a title");
    rest.split_once("</title>").expect("a whole title").0
}

/// Names of the elements in order, if tags are balanced and quotes closed.
fn elements(svg: &str) -> Result<Vec<String>, String> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        if open.is_empty() && !text.trim().is_empty() {
            return Err(format!("text outside: {text}"));
        }
        if text.contains(['>', '&']) {
            return Err(format!("a bare sign in: {text}"));
        }
        rest = &rest[at + 1..];
        let mut quoted = false;
        let end = rest.find(|c| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let tag = &rest[..end.ok_or_else(|| format!("no end of: {rest}"))?];
        if tag.contains(['<', '&']) {
            return Err(format!("a bare sign in: {tag}"));
        }
        rest = &rest[tag.len() + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => {}
                last => return Err(format!("</{name}> closes {last:?}")),
            }
            continue;
        }
        let name: String = tag.chars().take_while(|c| c.is_alphanumeric()).collect();
        if open.is_empty() && !all.is_empty() {
            return Err(format!("a second root: {name}"));
        }
        all.push(name.clone());
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    match open.pop() {
        Some(name) => Err(format!("<{name}> stays open")),
        None if !rest.trim().is_empty() => Err(format!("text behind: {rest}")),
        None => Ok(all),
    }
}

/// Whether a file is a picture that may be shown anywhere: it draws, it has a title and a ground of its own, it runs and fetches nothing.
fn fit(svg: &str) -> Result<(), String> {
    let found = elements(svg)?;
    let known = [
        "svg", "title", "style", "rect", "g", "path", "circle", "ellipse", "text", "tspan",
    ];
    if let Some(other) = found.iter().find(|n| !known.contains(&n.as_str())) {
        return Err(format!("<{other}>"));
    }
    if found.first().map(String::as_str) != Some("svg") {
        return Err("no svg".into());
    }
    if found.iter().filter(|n| *n == "title").count() != 1 || title(svg).trim().is_empty() {
        return Err("no title of its own".into());
    }
    // The name of the format is an address, and the only one.
    let own = "xmlns=\"http://www.w3.org/2000/svg\"";
    if !svg.contains(own) || !svg.contains("viewBox=\"0 0 320 200\"") {
        return Err("not the format or the size of the page".into());
    }
    let others = svg.replacen(own, "", 1);
    for word in [
        "href", "url(", "@import", "http", "//", "data:", " on", "NaN", "nan", "inf",
    ] {
        let drawn = others.replace(title(svg), "");
        if drawn.contains(word) {
            return Err(format!("`{word}`"));
        }
    }
    let ground = "rx=\"10\" fill=\"#fff\"";
    if !svg.contains(ground) {
        return Err("no white ground: lines would be lost on a dark page".into());
    }
    Ok(())
}

#[test]
fn every_picture_is_used_and_fit() {
    let mut there = BTreeSet::new();
    for entry in std::fs::read_dir(docs().join("gallery")).unwrap() {
        there.insert(entry.unwrap().file_name().into_string().unwrap());
    }
    let wanted: BTreeSet<String> = MACHINES
        .iter()
        .map(|m| format!("{}.svg", m.model))
        .collect();
    assert_eq!(wanted.len(), MACHINES.len(), "a machine stands twice");
    assert_eq!(there, wanted);
    let mut titles = BTreeSet::new();
    for m in &MACHINES {
        let svg = picture(m.model);
        if let Err(e) = fit(&svg) {
            panic!("{}: {e}", m.model);
        }
        assert!(titles.insert(title(&svg).to_owned()), "{}", m.model);
        assert!(!title(&svg).contains(['[', ']']), "{}", m.model);
    }
}

/// What `docs/gallery-motion/make.sh` writes.
#[test]
fn every_machine_moves() {
    let folder = docs().join("gallery-motion");
    let script = read(&folder.join("make.sh"));
    for m in &MACHINES {
        assert!(
            script.contains(&format!("move {} ", m.model)),
            "{}",
            m.model
        );
        let svg = read(&folder.join(format!("{}.svg", m.model)));
        assert!(svg.contains("<animate "), "{} stands still", m.model);
        let found = elements(&svg).unwrap_or_else(|e| panic!("{}: {e}", m.model));
        let known = ["svg", "title", "rect", "polyline", "polygon", "animate"];
        let other = found.iter().find(|n| !known.contains(&n.as_str()));
        assert_eq!(other, None, "{}", m.model);
        assert!(!svg.contains("NaN"), "{}", m.model);
    }
    assert_eq!(script.matches("\nmove ").count(), MACHINES.len());
}

#[test]
fn unfit_pictures_are_found() {
    let whole = picture("double_pendulum");
    fit(&whole).unwrap();
    let changes = [
        ("</svg>", ""),
        ("</svg>", "<g></svg>"),
        ("</svg>", "</svg><svg/>"),
        ("</svg>", "<script>1</script></svg>"),
        ("</svg>", "<image/></svg>"),
        ("</svg>", "<rect fill=\"url(#a)\"/></svg>"),
        ("</svg>", "<g href=\"a.svg\"/></svg>"),
        ("</svg>", "<g onclick=\"a\"/></svg>"),
        ("<title>", "<text>"),
        ("fill=\"#fff\"", "fill=\"none\""),
        ("<circle ", "<circle \""),
    ];
    for (from, to) in changes {
        let broken = whole.replacen(from, to, 1);
        assert_ne!(broken, whole, "{from}");
        assert!(fit(&broken).is_err(), "{to}");
    }
}
