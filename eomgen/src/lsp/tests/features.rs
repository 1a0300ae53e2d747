//! Each feature on real models.

use super::super::context::{Place, call, place};
use super::super::engine::Facts;
use super::super::functions::Wanted;
use super::super::names::File;
use super::super::position::Text;
use super::super::tokens::{Type, meaning};
use super::super::world::World;
use super::super::{completion, diagnostics, hints, hover, layout, outline, rename, tokens};
use super::{find, folder, models};
use crate::syntax::marks::MarkKind;
use lsp_types::{
    AnnotatedTextEdit, CodeActionOrCommand, DocumentChanges, InlayHintLabel, OneOf, Range,
    TextDocumentContentChangeEvent, TextEdit,
};
use std::rc::Rc;

fn open(world: &mut World, path: &str, text: &str) -> Rc<File> {
    world.set(path, Text::new(text.to_owned()));
    world.analyse(path);
    world.file(path).unwrap()
}

fn two_arms(world: &mut World) -> Rc<File> {
    let path = folder().join("two_arms.eom").display().to_string();
    let text = std::fs::read_to_string(&path).unwrap();
    open(world, &path, &text)
}

fn hover_at(world: &mut World, file: &Rc<File>, piece: &str, nth: usize) -> Option<String> {
    let offset = file.text.offset(find(file.text.as_str(), piece, nth));
    let mention = file.mention_at(offset + 1)?.clone();
    hover::text(world, file, &mention)
}

/// Every name of every model is known, and every word is coloured.
#[test]
fn all_names_of_all_models_are_understood() {
    for (path, text) in models() {
        let mut world = World::default();
        let file = open(&mut world, &path, &text);
        let found = world.analysis(&path).unwrap();
        assert_eq!(
            found
                .diagnostics
                .iter()
                .find(|d| d.severity == crate::diag::Severity::Error),
            None,
            "{path}"
        );
        for mark in &file.marks {
            if mark.kind == MarkKind::Name {
                let word = mark.text(&text);
                let own = meaning(&mut world, &file, mark);
                // The name of the model itself is nothing that others refer to, nor are colours and axes of sequences.
                let header = file.text.position(mark.span.start as usize);
                let line = text.lines().nth(header.line as usize).unwrap();
                let other = ["model ", "part ", "drawing "]
                    .iter()
                    .any(|k| line.trim_start().starts_with(k));
                assert!(
                    own.is_some() || other || line.contains("rotate_"),
                    "{path}: {word} in {line}"
                );
            }
        }
        for mention in &file.mentions {
            let axis = matches!(mention.name.as_str(), "x" | "y" | "z");
            if mention.role != super::super::names::Role::Path && !axis {
                let told = hover::text(&mut world, &file, mention);
                let sequence = text.contains("rotate_");
                assert!(told.is_some() || sequence, "{path}: {}", mention.name);
            }
        }
        assert_eq!(layout::edits(&file.text, None), [], "{path}");
        assert!(!outline::symbols(&file).is_empty(), "{path}");
        let part = file.is_part();
        assert_eq!(
            outline::lenses(&file, "").len(),
            usize::from(!part),
            "{path}"
        );
        outline::folds(&file);
        let tokens = tokens::tokens(&mut world, &file, None);
        assert!(
            tokens.len() > 5 && tokens.iter().all(|t| t.length > 0),
            "{path}"
        );
    }
}

#[test]
fn a_name_is_explained() {
    let mut world = World::default();
    let file = two_arms(&mut world);
    let told = hover_at(&mut world, &file, "w*T.x", 0).unwrap();
    assert!(
        told.contains("param w = 0.2 : m > 0") && told.contains("in `m`"),
        "{told}"
    );
    assert!(
        told.contains("from the trunk's centre to each shoulder"),
        "{told}"
    );
    let told = hover_at(&mut world, &file, "T, mass", 0).unwrap();
    assert!(told.contains("frame; stands in `N`"), "{told}");
    // Through a part, into its file.
    let told = hover_at(&mut world, &file, "hand", 1).unwrap();
    assert!(told.contains("point hand"), "{told}");
    let told = hover_at(&mut world, &file, "norm", 0).unwrap();
    assert!(told.contains("norm(v)"), "{told}");
    let told = hover_at(&mut world, &file, "N, phi", 0).unwrap();
    assert!(told.contains("inertial frame"), "{told}");
}

#[test]
fn what_is_proposed_is_of_the_kind_that_is_expected() {
    let text = "model m\nparam a : kg\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint P = O + 1 [m]*B.x\n";
    let check = |line: &str, first: &str, has: &str| {
        let mut world = World::default();
        let whole = format!("{text}{line}");
        let file = open(&mut world, "/none/m.eom", &whole);
        let mut found = completion::at(&mut world, &file, whole.len(), false);
        found.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        let labels: Vec<&str> = found.iter().map(|item| item.label.as_str()).collect();
        assert_eq!(
            labels.first().copied().unwrap_or(""),
            first,
            "{line}: {labels:?}"
        );
        assert!(
            has.is_empty() || labels.contains(&has),
            "{line}: {labels:?}"
        );
    };
    check("", "assume", "particle");
    check("par", "assume", "param");
    check("param k : ", "A", "kg");
    check("let w = 2 [", "A", "deg");
    check("let w = B.", "x", "z");
    check("let v = vel(", "O", "P");
    check("let v = vel(P, ", "B", "N");
    check("particle A: mass a at ", "O", "P");
    check("particle A: mass ", "a", "at");
    check("let ", "", "");
    check("init", "assume", "initial");
    check("initial ", "a", "q");
    check("let w = ", "a", "sin");
    check("// ", "", "");
}

#[test]
fn parts_propose_their_names_and_parameters() {
    let mut world = World::default();
    let file = two_arms(&mut world);
    let at = |piece: &str| {
        let text = file.text.as_str();
        text.find(piece).unwrap() + piece.len()
    };
    let mut labels = |offset: usize| -> Vec<String> {
        let all = completion::at(&mut world, &file, offset, true);
        all.into_iter().map(|item| item.label).collect()
    };
    let names = labels(at("norm(right."));
    assert!(
        ["hand", "shoulder", "tau"]
            .iter()
            .all(|n| names.contains(&(*n).to_owned())),
        "{names:?}"
    );
    let arguments = labels(at("as right("));
    assert!(arguments.contains(&"base".to_owned()) && arguments.contains(&"n".to_owned()));
    assert!(!arguments.contains(&"tau".to_owned()), "{arguments:?}");
    let paths = labels(at("use \""));
    assert!(paths.contains(&"parts/arm.eom".to_owned()), "{paths:?}");
}

#[test]
fn calls_know_their_argument() {
    let text = "model m\nlet a = dot(vel(P, B), [1, 2], (x + y), ";
    let file = File::new("m", Text::new(text.to_owned()));
    let at = |piece: &str| call(&file, text.find(piece).unwrap()).map(|c| (c.name, c.argument));
    assert_eq!(at("P,"), Some(("vel".to_owned(), 0)));
    assert_eq!(at("B)"), Some(("vel".to_owned(), 1)));
    assert_eq!(
        call(&file, text.len()).map(|c| (c.name, c.argument)),
        Some(("dot".to_owned(), 3))
    );
    assert_eq!(at("vel"), Some(("dot".to_owned(), 0)));
    assert_eq!(at("a ="), None);
    assert_eq!(place(&file, 8), Place::Statement);
    let load = File::new("m", Text::new("model m\ntorque on ".to_owned()));
    assert_eq!(
        place(&load, 18),
        Place::Value(Wanted::Frame, "torque".to_owned())
    );
}

#[test]
fn names_are_found_and_changed_across_parts() {
    let mut world = World::default();
    let file = two_arms(&mut world);
    let offset = file.text.offset(find(file.text.as_str(), "hand", 1)) + 1;
    let mention = file.mention_at(offset).unwrap().clone();
    let symbol = world.symbol(&file, &mention).unwrap();
    assert!(symbol.path.ends_with("parts/arm.eom"), "{symbol:?}");
    let mentions = world.mentions(&symbol);
    let of = |name: &str| {
        let own = mentions.iter().find(|(file, _)| file.path.ends_with(name));
        own.map_or(0, |(_, spans)| spans.len())
    };
    assert_eq!(of("two_arms.eom"), 2);
    assert!(of("parts/arm.eom") >= 1);
    let edit = rename::rename(&mut world, &file, &mention, "wrist").unwrap();
    let Some(DocumentChanges::Edits(changes)) = edit.document_changes else {
        panic!("no changes");
    };
    assert!(changes.len() >= 2);
    let all = changes.iter().flat_map(|change| &change.edits);
    assert!(
        all.into_iter()
            .all(|edit| matches!(edit, OneOf::Left(e) if e.new_text == "wrist"))
    );
    for (new, why) in [
        ("q", "taken"),
        ("N", "inertial frame"),
        ("if", "reserved"),
        ("two words", "not a name"),
        ("", "not a name"),
        ("i", "taken"),
    ] {
        let wrong = rename::rename(&mut world, &file, &mention, new).unwrap_err();
        assert!(wrong.contains(why), "{new}: {wrong}");
    }
}

#[test]
fn counted_variables_belong_to_their_loops() {
    let text = "model m\nconst n = 2\ncoord q[1..n] : m\nfor i in 1..n {\npoint P[i] = O + q[i]*N.x\n}\n\
        for i in 1..n {\nparticle A[i]: mass 1 [kg] at P[i]\n}\nlet s = sum(k in 1..n, q[k])\n";
    let mut world = World::default();
    let file = open(&mut world, "/none/m.eom", text);
    let offset = text.find("q[i]").unwrap() + 2;
    let mention = file.mention_at(offset).unwrap().clone();
    let symbol = world.symbol(&file, &mention).unwrap();
    let spans = &world.mentions(&symbol)[0].1;
    assert_eq!(spans.len(), 3, "{spans:?}");
    let family = file.mention_at(text.find("q[k]").unwrap()).unwrap().clone();
    let symbol = world.symbol(&file, &family).unwrap();
    assert_eq!(world.mentions(&symbol)[0].1.len(), 3);
}

#[test]
fn messages_have_related_places_and_changes() {
    let text = "model m\nparam m : kg\ncoord x : m\npoint P = O + x*N.x\npoint P = O\nparticle A: mass mm at Q\nfroce on P: N.x\nlet a = sni(x)\n";
    let mut world = World::default();
    let file = open(&mut world, "/none/m.eom", text);
    let analysis = world.analysis("/none/m.eom").unwrap();
    let all = &diagnostics::of(&mut world, &analysis)["/none/m.eom"];
    let twice = all
        .iter()
        .find(|d| d.message.contains("declared twice"))
        .unwrap();
    assert_eq!(twice.related_information.as_ref().unwrap().len(), 1);
    let actions = diagnostics::actions(&mut world, "/none/m.eom", file.text.whole());
    let titles: Vec<String> = actions
        .iter()
        .map(|action| match action {
            lsp_types::CodeActionOrCommand::CodeAction(action) => action.title.clone(),
            lsp_types::CodeActionOrCommand::Command(_) => panic!("a command"),
        })
        .collect();
    for expect in ["Write `force`", "Write `P_2`"] {
        assert!(titles.contains(&expect.to_owned()), "{expect}: {titles:?}");
    }
}

#[test]
fn a_mistake_in_a_part_is_shown_in_the_part() {
    let mut world = World::default();
    let file = two_arms(&mut world);
    let arm = folder().join("parts/arm.eom").display().to_string();
    let text = std::fs::read_to_string(&arm).unwrap();
    world.set(
        &arm,
        Text::new(text.replace("gravity", "garvity") + "\noutput o = q[9]\n"),
    );
    assert_eq!(world.models_of(&arm).join(" "), file.path);
    let analysis = world.analyse(&file.path).unwrap();
    let all = diagnostics::of(&mut world, &analysis);
    assert!(!all[&arm].is_empty());
    let related = all[&arm]
        .iter()
        .filter_map(|d| d.related_information.as_ref());
    let used: Vec<_> = related
        .flatten()
        .filter(|r| r.message.contains("used here"))
        .collect();
    assert!(!used.is_empty(), "{:?}", all[&arm]);
}

#[test]
fn units_that_are_not_written_are_shown() {
    let text = "model m\nparam k, m : kg\nparam c\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -c*x*N.x\nlet p = m*x'\n";
    let mut world = World::default();
    let file = open(&mut world, "/none/m.eom", text);
    let shown: Vec<String> = hints::hints(&world, &file, file.text.whole())
        .iter()
        .map(|hint| format!("{}:{:?}", hint.position.line, hint.label))
        .collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(
        shown[0].starts_with("2:") && shown[1].starts_with("7:"),
        "{shown:?}"
    );
    let nothing = hints::hints(&world, &file, Range::default());
    assert!(nothing.is_empty());
}

#[test]
fn tokens_have_meanings() {
    let text = "model m\nparam mass : kg\ncoord q : rad\npoint P = O\nparticle A: mass mass at P\nlet a = sin(q)\nlet = 2\n";
    let mut world = World::default();
    let file = open(&mut world, "/none/m.eom", text);
    let mut of = |piece: &str| {
        let at = text.find(piece).unwrap() as u32;
        let mark = *file.marks.iter().find(|m| m.span.start == at).unwrap();
        meaning(&mut world, &file, &mark)
    };
    assert_eq!(of("param"), Some((Type::Keyword, 0)));
    assert_eq!(of("mass :"), Some((Type::Parameter, 1)));
    assert_eq!(of("mass mass"), Some((Type::Keyword, 0)));
    assert_eq!(of("mass at"), Some((Type::Parameter, 0)));
    assert_eq!(of("kg"), Some((Type::Unit, 2)));
    assert_eq!(of("sin"), Some((Type::Function, 2)));
    assert_eq!(of("A:"), Some((Type::Class, 1)));
    assert_eq!(of("let = 2"), Some((Type::Keyword, 0)));
}

#[test]
fn initial_values_name_what_starts() {
    let text = "model m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint P = O + 1 [m]*B.x\n\
        particle A: mass 1 [kg] at P\nspeed v = q'\ninitial q = 0.5, v = 2 [rad/s]\ninitial q' = 2\n";
    let mut world = World::default();
    let file = open(&mut world, "/none/m.eom", text);
    let at = |piece: &str| {
        let offset = text.find(piece).unwrap() + "initial ".len();
        file.mention_at(offset).unwrap().clone()
    };
    // Its declaration, the frame, the speed, and the value and the rate at the start.
    let mention = at("initial q =");
    let symbol = world.symbol(&file, &mention).unwrap();
    assert_eq!(
        Some(&symbol),
        world.symbol(&file, &at("initial q'")).as_ref()
    );
    assert_eq!(world.mentions(&symbol)[0].1.len(), 5);
    let told = hover::text(&mut world, &file, &mention).unwrap();
    assert!(told.contains("coord q : rad"), "{told}");
    let edit = rename::rename(&mut world, &file, &mention, "theta").unwrap();
    let Some(DocumentChanges::Edits(changes)) = edit.document_changes else {
        panic!("no changes");
    };
    assert_eq!(changes.iter().map(|c| c.edits.len()).sum::<usize>(), 5);
    let mut of = |piece: &str, skip: usize| {
        let at = (text.find(piece).unwrap() + skip) as u32;
        let mark = *file.marks.iter().find(|m| m.span.start == at).unwrap();
        meaning(&mut world, &file, &mark).unwrap().0
    };
    assert_eq!(of("initial q =", 0), Type::Keyword);
    assert_eq!(of("initial q =", 8), of("coord q", 6));
    assert_eq!(of("v = 2", 0), of("speed v", 6));
    assert_eq!(of("rad/s", 0), Type::Unit);
}

/// Speeds as the engine names them, at the statements that they come from.
#[test]
fn speeds_that_depend_on_others_are_shown() {
    let text =
        "model m\nconst n = 5\ncoord q[1..n], x : m\nspeed u = x'\nuse \"leg.eom\" as left\n";
    let mut world = World::default();
    let file = open(&mut world, "/none/m.eom", text);
    let names = ["u", "q[1]'", "q[2]'", "q[4]'", "q[5]'", "left.a'", "left.b"];
    let facts = Facts {
        freedom: "1 degree of freedom".to_owned(),
        dependent: names.map(str::to_owned).to_vec(),
    };
    world.facts.insert("/none/m.eom".to_owned(), facts);
    let mut shown: Vec<(u32, u32, String)> = hints::hints(&world, &file, file.text.whole())
        .into_iter()
        .map(|hint| match hint.label {
            InlayHintLabel::String(text) => (hint.position.line, hint.position.character, text),
            InlayHintLabel::LabelParts(_) => panic!("in parts"),
        })
        .collect();
    shown.sort();
    let expect = [
        (0, 7, "1 degree of freedom"),
        (2, 13, "q[1]', q[2]', q[4]', ... dependent"),
        (3, 7, "dependent"),
        (4, 21, "left.a', left.b dependent"),
    ];
    assert_eq!(
        shown,
        expect.map(|(line, column, text)| (line, column, text.to_owned()))
    );
}

/// The titles of the changes that are offered somewhere in a file.
fn offered(world: &mut World, path: &str) -> Vec<String> {
    let whole = world.file(path).unwrap().text.whole();
    let all = diagnostics::actions(world, path, whole);
    let titles = all.into_iter().map(|action| match action {
        CodeActionOrCommand::CodeAction(action) => action.title,
        CodeActionOrCommand::Command(_) => panic!("a command"),
    });
    titles.collect()
}

#[test]
fn changes_are_offered_in_parts_and_families_once() {
    // Each copy of the loop has the mistake.
    let family = "model m\nconst n = 3\ncoord q[1..n] : m\nfor i in 1..n {\npoint P[i] = O + sni(q[i])*N.x\n}\n";
    let mut world = World::default();
    open(&mut world, "/none/m.eom", family);
    assert_eq!(offered(&mut world, "/none/m.eom"), ["Write `sin`"]);
    // Both arms have it; it is one text.
    let mut world = World::default();
    let file = two_arms(&mut world);
    let arm = folder().join("parts/arm.eom").display().to_string();
    let text = std::fs::read_to_string(&arm).unwrap();
    world.set(&arm, Text::new(text + "\nlet wrong = sni(1)\n"));
    world.analyse(&file.path);
    assert_eq!(offered(&mut world, &arm), ["Write `sin`"]);
    assert_eq!(offered(&mut world, &file.path), [""; 0]);
}

/// The text with a list of changes that do not overlap.
fn applied(text: &Text, edits: Vec<OneOf<TextEdit, AnnotatedTextEdit>>) -> Text {
    let mut edits: Vec<TextEdit> = edits
        .into_iter()
        .map(|edit| match edit {
            OneOf::Left(edit) => edit,
            OneOf::Right(edit) => edit.text_edit,
        })
        .collect();
    edits.sort_by_key(|edit| (edit.range.start.line, edit.range.start.character));
    edits.into_iter().rev().fold(text.clone(), |text, edit| {
        text.changed(&TextDocumentContentChangeEvent {
            range: Some(edit.range),
            range_length: None,
            text: edit.new_text,
        })
    })
}

/// A new name that is not refused leaves every model right, whatever else the name means.
#[test]
fn renamed_models_are_still_right() {
    let mut tried = 0;
    let mut refused = 0;
    let mut wrong = Vec::new();
    for (number, (path, text)) in models().into_iter().enumerate() {
        let mut world = World::default();
        let file = open(&mut world, &path, &text);
        if file.is_part() {
            continue;
        }
        let names: Vec<_> = file.declarations.iter().map(|d| d.span).collect();
        for (at, span) in names.into_iter().enumerate().skip(number % 5).step_by(5) {
            let mention = file.mention_at(span.start as usize + 1).cloned();
            let Some(mention) = mention.filter(|m| m.span == span) else {
                continue;
            };
            let new = ["fresh_name", "sin", "mass", "sum", "kg", "x", "vel"][at % 7];
            let Ok(edit) = rename::rename(&mut world, &file, &mention, new) else {
                refused += 1;
                continue;
            };
            let Some(DocumentChanges::Edits(changes)) = edit.document_changes else {
                panic!("no changes");
            };
            let mut after = World::default();
            after.set(&path, file.text.clone());
            for change in changes {
                let path = super::super::place::path(&change.text_document.uri);
                let old = world.file(&path).unwrap();
                after.set(&path, applied(&old.text, change.edits));
            }
            tried += 1;
            let found = after.analyse(&path).unwrap();
            let mut errors = found.diagnostics.iter();
            if let Some(error) = errors.find(|d| d.severity == crate::diag::Severity::Error) {
                wrong.push(format!(
                    "{path}: {} as {new}: {}",
                    mention.name, error.title
                ));
            }
        }
    }
    assert!(tried > 200, "{tried} tried, {refused} refused");
    assert!(wrong.is_empty(), "of {tried}:\n{}", wrong.join("\n"));
}
