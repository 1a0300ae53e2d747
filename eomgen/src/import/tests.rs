//! The importer as a whole: what it writes, and what it says of descriptions that are wrong.

use std::path::PathBuf;

use super::{Base, Beside, Imported, Lock, Refusal, Settings, import, import_beside};
use crate::diag::codes::import::{E0600, E0601, E0602, E0603};

fn settings() -> Settings {
    Settings::default()
}

fn done(text: &str, settings: &Settings) -> Imported {
    match import("robot.urdf", text, settings) {
        Ok(imported) => imported,
        Err(refusal) => panic!("{refusal:#?}"),
    }
}

fn text(description: &str) -> String {
    done(description, &settings()).text
}

/// Codes of the errors with what they point at.
fn wrong(description: &str) -> Vec<(&'static str, String)> {
    let Err(Refusal::Description(found)) = import("robot.urdf", description, &settings()) else {
        panic!("not refused");
    };
    let place = |span: crate::span::Span| {
        let text = description.get(span.start as usize..span.end as usize);
        text.unwrap_or("?").to_owned()
    };
    assert!(found.iter().all(|d| d.help.is_some()), "{found:#?}");
    found
        .iter()
        .map(|d| (d.code, place(d.labels[0].span)))
        .collect()
}

const MASS: &str = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

/// Two links and a joint with this type and content.
fn joint(kind: &str, inside: &str) -> String {
    format!(
        "<robot name='r'><link name='a'/><link name='b'>{MASS}</link>\n<joint name='j' type='{kind}'><parent link='a'/><child link='b'/>{inside}</joint></robot>"
    )
}

/// The files with reference numbers are what the importer makes of the descriptions beside them; `EOMGEN_BLESS=1` writes them.
#[test]
fn the_examples_are_as_imported() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/imported");
    let free = Some(Base::FreeQuaternion);
    for (file, base) in [
        ("joints.urdf", None),
        ("legs.urdf", free),
        ("bodies.xml", None),
        ("loop.xml", None),
        ("assembled.xml", None),
        ("pendula.al", None),
        ("disc.al", None),
        ("bicycle.al", None),
        ("satellite.al", None),
        ("coupler.al", None),
        ("gyro.al", None),
    ] {
        let (stem, _) = file.split_once('.').unwrap();
        let description = std::fs::read_to_string(folder.join(file)).unwrap();
        let settings = Settings {
            base,
            parts: Some(stem.to_owned()),
            ..settings()
        };
        let read =
            |path: &str| std::fs::read_to_string(folder.join(path)).map_err(|e| e.to_string());
        let beside = Beside::new(read);
        let imported = import_beside(file, &description, &settings, &beside).unwrap();
        let model = (format!("{stem}.eom"), imported.text);
        for (name, text) in imported.parts.iter().chain([&model]) {
            if std::env::var_os("EOMGEN_BLESS").is_some() {
                std::fs::write(folder.join(name), text).unwrap();
            }
            let there = std::fs::read_to_string(folder.join(name)).unwrap();
            assert_eq!(there.replace("\r\n", "\n"), *text, "{name}");
        }
    }
}

/// What is said of a description with files beside it: the file's number and the text that is pointed at.
fn wrong_beside(files: &[(&str, &str)]) -> Vec<(u32, String, String)> {
    let read = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found
            .map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| "not there".to_owned())
    };
    let beside = Beside::new(read);
    let found = import_beside(files[0].0, files[0].1, &settings(), &beside);
    let read = beside.into_files();
    let Err(Refusal::Description(found)) = found else {
        panic!("not refused");
    };
    let told = |d: &crate::diag::Diagnostic| {
        let span = d.labels[0].span;
        let text = match span.file {
            0 => files[0].1,
            n => read[n as usize - 1].1.as_str(),
        };
        let at = &text[span.start as usize..span.end as usize];
        (span.file, at.to_owned(), d.title.clone())
    };
    found.iter().map(told).collect()
}

#[test]
fn messages_about_other_files_point_into_them() {
    let main = "<mujoco><include file='more.xml'/><worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody></mujoco>";
    for (more, at, title) in [
        (
            "<mujoco><actuator><motor joint='k'/></actuator></mujoco>",
            "k",
            "there is no joint `k`",
        ),
        (
            "<mujocoinclude><default><joint damping='x'/></default></mujocoinclude>",
            "x",
            "`x` is not a number",
        ),
        (
            "<a><option density='3'/></a>",
            "3",
            "the option `density` is not read",
        ),
    ] {
        let found = wrong_beside(&[("m.xml", main), ("more.xml", more)]);
        assert_eq!(found, [(1, at.to_owned(), title.to_owned())], "{more}");
    }
    let found = wrong_beside(&[("m.xml", main)]);
    let title = "cannot read more.xml: not there".to_owned();
    assert_eq!(found, [(0, "<include file='more.xml'/>".to_owned(), title)]);
    let found = wrong_beside(&[
        ("m.xml", main),
        ("more.xml", "<a><include file='more.xml'/></a>"),
    ]);
    let title = "files include files without end".to_owned();
    assert_eq!(found, [(1, "<include file='more.xml'/>".to_owned(), title)]);
    // Without a folder nothing is read.
    let Err(Refusal::Description(found)) = import("m.xml", main, &settings()) else {
        panic!("not refused");
    };
    assert!(found[0].title.contains("not read here"), "{found:?}");
}

#[test]
fn what_is_attached_or_copied_has_to_be_there() {
    let hand = "<mujoco><worldbody><body name='palm'><joint name='w'/><geom size='1'/></body></worldbody></mujoco>";
    let main = |inside: &str| {
        format!(
            "<mujoco><asset><model name='h' file='hand.xml'/></asset><worldbody><body name='b'><joint name='j'/><geom size='1'/>{inside}</body></worldbody></mujoco>"
        )
    };
    for (inside, title) in [
        (
            "<attach model='h' body='plam' prefix='x'/>",
            "the model that is attached has no body `plam`",
        ),
        (
            "<attach model='g' body='palm' prefix='x'/>",
            "there is no model `g`",
        ),
        (
            "<attach body='palm' prefix='x'/>",
            "`attach` has no attribute `model`",
        ),
        (
            "<attach model='h' body='palm'/><attach model='h' body='palm'/>",
            "two bodies are called `palm`",
        ),
        (
            "<replicate count='0'><body/></replicate>",
            "`0` is no number of copies",
        ),
        (
            "<replicate><body/></replicate>",
            "`replicate` has no attribute `count`",
        ),
    ] {
        let text = main(inside);
        let found = wrong_beside(&[("m.xml", &text), ("hand.xml", hand)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].2, title, "{found:?}");
    }
}

#[test]
fn laws_of_motors_come_from_defaults_of_their_kind() {
    let machine = |defaults: &str, motor: &str| {
        format!(
            "<mujoco><default>{defaults}</default><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>{motor}</actuator></mujoco>"
        )
    };
    // As MuJoCo 4.0.0 compiles them: gear, gain, bias.
    for (defaults, motor, expected) in [
        ("<motor gear='100'/>", "<motor joint='j'/>", "100*u_1"),
        (
            "<motor gear='100'/>",
            "<position joint='j'/>",
            "100*u_1 - 10000*j",
        ),
        (
            "<general gear='2' gainprm='5' biastype='affine' biasprm='1 2'/>",
            "<motor joint='j'/>",
            "2*u_1",
        ),
        (
            "<general gear='2' gainprm='5' biastype='affine' biasprm='1 2'/>",
            "<general joint='j'/>",
            "10*u_1 + 2 + 8*j",
        ),
        (
            "<general gainprm='5'/>",
            "<position joint='j'/>",
            "5*u_1 - 5*j",
        ),
        (
            "<general gainprm='5'/>",
            "<velocity joint='j'/>",
            "5*u_1 - 5*j'",
        ),
        (
            "<position kp='30' kv='2'/>",
            "<general joint='j'/>",
            "30*u_1 - 30*j - 2*j'",
        ),
        (
            "<position kp='30' kv='2'/>",
            "<velocity joint='j'/>",
            "u_1 - j'",
        ),
        (
            "<position kp='30' kv='2'/>",
            "<position joint='j' kp='3'/>",
            "3*u_1 - 3*j - 2*j'",
        ),
        ("<velocity kv='7'/>", "<position joint='j'/>", "u_1 - j"),
        ("<velocity kv='7'/>", "<motor joint='j'/>", "u_1"),
    ] {
        let text = text(&machine(defaults, motor));
        assert!(
            text.contains(&format!("torque on j: {expected}\n")),
            "{defaults} {motor}\n{text}"
        );
    }
    for (defaults, motor) in [
        (
            "<position kp='3'/><general gainprm='5'/>",
            "<general joint='j'/>",
        ),
        (
            "<general biastype='affine' biasprm='0 0 -3'/><position kp='3'/>",
            "<position joint='j'/>",
        ),
    ] {
        let found = wrong(&machine(defaults, motor));
        assert_eq!(found, [(E0603, motor.to_owned())], "{defaults}");
    }
}

#[test]
fn bounds_of_masses_are_refused_where_they_change_something() {
    let machine = |compiler: &str, inertial: &str| {
        format!(
            "<mujoco><compiler {compiler}/><worldbody><body name='b'><joint name='j'/>{inertial}</body></worldbody></mujoco>"
        )
    };
    let given = "<inertial pos='0 0 0' mass='2' diaginertia='1 2 2.5'/>";
    let flat = "<inertial pos='0 0 0' mass='2' diaginertia='1 2 3.5'/>";
    let turned = "<inertial pos='0 0 0' mass='2' fullinertia='1 2 2.9 0 0 0.5'/>";
    for (compiler, inertial, fine) in [
        ("boundmass='1'", given, true),
        ("boundmass='3'", given, false),
        ("boundinertia='0.9'", given, true),
        ("boundinertia='1.1'", given, false),
        ("balanceinertia='true'", given, true),
        ("balanceinertia='true'", flat, false),
        // Principal moments of the last two axes: 2.45 -+ sqrt(0.45^2 + 0.5^2), the larger 3.12 more than 1 and 1.78 together.
        ("balanceinertia='true'", turned, false),
        ("balanceinertia='false'", flat, true),
    ] {
        let found = import("r", &machine(compiler, inertial), &settings());
        assert_eq!(found.is_ok(), fine, "{compiler} {inertial}: {found:?}");
    }
    let scaled = text(&machine("settotalmass='4'", given));
    assert!(
        scaled.contains("mass 4,") && scaled.contains("inertia [2, 4, 5]"),
        "{scaled}"
    );
}

#[test]
fn welds_by_poses_and_sites_hold_what_they_name() {
    let machine = |weld: &str| {
        format!(
            "<mujoco><worldbody><body name='a'><joint name='i'/><geom size='1'/><site name='s' pos='0.5 0 0' euler='0 0 90'/></body><body name='b'><joint name='j'/><geom size='1'/><site name='z' pos='0 0.2 0'/></body></worldbody><equality>{weld}</equality></mujoco>"
        )
    };
    let by_pose = text(&machine(
        "<weld name='w' body1='a' body2='b' relpose='0.5 0 0 1 0 0 1'/>",
    ));
    assert!(
        by_pose.contains("frame w_axes = rotate(a, 90 [deg], a.z)"),
        "{by_pose}"
    );
    assert!(
        by_pose.contains("constraint w: O + 0.5*a.x = O\n"),
        "{by_pose}"
    );
    // The origin of b is -0.2 along its y, which is -x of a when the sites meet.
    let by_sites = text(&machine("<weld name='w' site1='s' site2='z'/>"));
    assert!(
        by_sites.contains("frame w_axes = rotate(a, 90 [deg], a.z)"),
        "{by_sites}"
    );
    assert!(
        by_sites.contains("constraint w: O + 0.7*a.x = O\n"),
        "{by_sites}"
    );
}

#[test]
fn joints_are_written_as_people_write_them() {
    for (kind, inside, expected) in [
        ("revolute", "<axis xyz='0 0 1'/>", "frame rotate(N, j, N.z)"),
        ("continuous", "", "frame rotate(N, j, N.x)"),
        (
            "revolute",
            "<axis xyz='0 -1 0'/>",
            "frame rotate(N, j, -N.y)",
        ),
        ("revolute", "<axis xyz='0 0 2'/>", "frame rotate(N, j, N.z)"),
        (
            "revolute",
            "<origin rpy='0 0 1.5708'/><axis xyz='0 0 1'/>",
            "frame rotate(N, j + 90 [deg], N.z)",
        ),
        (
            "revolute",
            "<origin rpy='1.5708 0 -3.1416'/><axis xyz='0 0 1'/>",
            "frame b_mount = rotate_space(N, xz, 90 [deg], -180 [deg])",
        ),
        ("prismatic", "<axis xyz='0 0 1'/>", "point O_b = O + j*N.z"),
        (
            "prismatic",
            "<axis xyz='0 1 1'/>",
            "point O_b = O + j*unit(N.y + N.z)",
        ),
        (
            "planar",
            "<axis xyz='1 0 0'/>",
            "point O_b = O + j_y*N.y + j_z*N.z",
        ),
        (
            "floating",
            "",
            "frame quaternion(N, j_e0, j_e1, j_e2, j_e3)",
        ),
        (
            "revolute",
            "<dynamics damping='0.5' friction='2'/>",
            "torque on j: tau_j - 0.5*j' - 2*tanh(j'/v_slip)",
        ),
        (
            "revolute",
            "<limit lower='-1' upper='0.5' effort='3' velocity='2'/>",
            "coord j : rad  /// -57.3 to 28.65 deg, at most 3 N*m and 2 rad/s",
        ),
        (
            "revolute",
            "<limit lower='0.5' upper='1' effort='3' velocity='2'/>",
            "coord j = 0.75 : rad",
        ),
        (
            "prismatic",
            "<limit lower='-1' upper='1' effort='3' velocity='2'/>",
            "assume j >= -1",
        ),
    ] {
        let found = text(&joint(kind, inside));
        assert!(found.contains(expected), "{expected}\n{found}");
    }
}

#[test]
fn names_that_the_language_does_not_take_are_in_a_table() {
    let found = text(&format!(
        "<robot name='1 r'><link name='N'/><link name='if'>{MASS}</link><joint name='a-b' type='continuous'><parent link='N'/><child link='if'/></joint></robot>"
    ));
    for expected in [
        "model _1_r",
        "1 r is _1_r",
        "if is if_2",
        "a-b is a_b",
        "body if_2:",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    // A joint and a link of one name.
    let found = text(&joint("revolute", "").replace("name='j'", "name='b'"));
    assert!(found.contains("b (joint) is q_b"), "{found}");
}

#[test]
fn a_description_cannot_leave_its_comments() {
    let odd = joint("revolute", "").replace("name='r'", "name='r&#10;gravity: 0'");
    let found = text(&format!("<!-- one\n\u{202e}two -->{odd}"));
    assert!(found.contains("U+202Etwo"), "{found}");
    assert_eq!(found.matches("\ngravity").count(), 1, "{found}");
}

#[test]
fn joints_are_held_where_the_user_says() {
    let lock = |text: &str| {
        let settings = Settings {
            base: Some(Base::FreeEuler),
            locks: vec![Lock::read(text).unwrap()],
            ..settings()
        };
        import("r", &joint("revolute", "<axis xyz='0 0 1'/>"), &settings)
    };
    let found = lock("j*=30 [deg]").unwrap().text;
    assert!(found.contains("rotate(a, 30 [deg], a.z)"), "{found}");
    assert!(!found.contains("coord j"), "{found}");
    let found = lock("j=0").unwrap().text;
    assert!(found.contains("body b: frame a, mass 1"), "{found}");
    let Err(Refusal::Settings(told)) = lock("k=0") else {
        panic!("`k` is no joint");
    };
    assert!(
        told.contains("no joint is called `k`: there are j"),
        "{told}"
    );
}

#[test]
fn what_moves_nothing_is_held_and_named() {
    let description = joint("revolute", "").replace(MASS, "");
    let settings = Settings {
        base: Some(Base::FreeQuaternion),
        ..settings()
    };
    // Nothing weighs anything: not even the free base moves.
    let Err(Refusal::Settings(told)) = import("r", &description, &settings) else {
        panic!("nothing moves");
    };
    assert!(told.contains("nothing in r moves"), "{told}");
    let leaf = "<link name='c'/><joint name='k' type='revolute'><parent link='b'/><child link='c'/></joint></robot>";
    let found = text(&joint("revolute", "").replace("</robot>", leaf));
    assert!(
        found.contains("joints that move nothing with a mass (held at 0): k"),
        "{found}"
    );
    assert!(!found.contains("coord k"), "{found}");
}

#[test]
fn a_joint_that_follows_one_that_is_held_is_held_as_well() {
    let second = format!(
        "<link name='c'>{MASS}</link><joint name='k' type='prismatic'><parent link='b'/><child link='c'/><mimic joint='j' multiplier='2' offset='0.1'/></joint></robot>"
    );
    let description = joint("revolute", "").replace("</robot>", &second);
    let found = text(&description);
    assert!(
        found.contains("constraint k_follows: k = 0.1 + 2*j"),
        "{found}"
    );
    assert!(
        !found.contains("tau_k") && !found.contains("F_k"),
        "{found}"
    );
    let settings = Settings {
        base: Some(Base::FreeQuaternion),
        locks: vec![Lock::read("j=0.2").unwrap()],
        ..settings()
    };
    let found = done(&description, &settings).text;
    assert!(found.contains("+ 0.5*b.x"), "{found}");
    assert!(!found.contains("coord k"), "{found}");
}

#[test]
fn numbers_are_rounded_where_that_is_asked_for() {
    let settings = Settings {
        decimals: Some(3),
        ..settings()
    };
    let description = joint("revolute", "<origin xyz='0.123456 0 0'/>")
        .replace("mass value='1'", "mass value='1.99961'");
    let found = done(&description, &settings).text;
    assert!(
        found.contains("O + 0.123*N.x") && found.contains("mass 2,"),
        "{found}"
    );
}

#[test]
fn angles_stay_decimals_where_that_is_asked_for() {
    let settings = Settings {
        keep_angles: true,
        ..settings()
    };
    let found = done(&joint("fixed", "<origin rpy='0 0 1.5708'/>").replace("</robot>", "<link name='c'/><joint name='k' type='floating'><parent link='b'/><child link='c'/></joint></robot>").replace("<link name='c'/>", &format!("<link name='c'>{MASS}</link>")), &settings).text;
    assert!(found.contains("rotate(N, 1.5708, N.z)"), "{found}");
}

#[test]
fn wrong_descriptions_get_messages_that_point_at_them() {
    let one = |description: &str, code: &str, at: &str| {
        let found = wrong(description);
        let hit = found
            .iter()
            .any(|(c, place)| *c == code && place.contains(at));
        assert!(hit, "{code} at {at}: {found:?}");
    };
    one(&joint("revolute", "<origin xyz='1 2'/>"), E0601, "1 2");
    one(
        &joint("revolute", "<origin xyz='1 nan 2'/>"),
        E0601,
        "1 nan 2",
    );
    one(
        &joint("revolute", "<origin xyz='1 1e999 2'/>"),
        E0601,
        "1e999",
    );
    one(&joint("revolute", "<axis xyz='0 0 0'/>"), E0601, "0 0 0");
    one(&joint("revolut", ""), E0601, "revolut");
    one(&joint("planar", "<axis xyz='1 1 0'/>"), E0603, "axis");
    one(&joint("revolute", "<mimic joint='j'/>"), E0602, "j");
    one(
        &joint("revolute", "").replace("child link='b'", "child link='c'"),
        E0602,
        "c",
    );
    one(
        &joint("revolute", "").replace("child link='b'", "child link='a'"),
        E0602,
        "",
    );
    one(
        &joint("revolute", "").replace("<child link='b'/>", ""),
        E0601,
        "joint",
    );
    one(
        &joint("revolute", "").replace("mass value='1'", "mass value='-1'"),
        E0601,
        "-1",
    );
    one(
        &joint("revolute", "").replace("<mass value='1'/>", ""),
        E0601,
        "inertial",
    );
    one(
        &joint("revolute", "").replace("ixx='1'", "ixx='-1'"),
        E0601,
        "-1",
    );
    one(
        &joint("revolute", "").replace("name='b'", "name='a'"),
        E0602,
        "link name='a'",
    );
    one(
        &joint("revolute", "").replace("</robot>", "<link name='c'/></robot>"),
        E0602,
        "link name='c'",
    );
    let again = "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint></robot>";
    one(
        &joint("revolute", "").replace("</robot>", again),
        E0602,
        "joint name='k'",
    );
    let circle = "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>";
    one(
        &joint("revolute", "").replace("</robot>", circle),
        E0602,
        "joint",
    );
    one("<robot name='r'/>", E0602, "<robot");
    one(
        "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><xacro:include filename='x'/></robot>",
        E0603,
        "xacro:include",
    );
    one("<sdf version='1.6'/>", E0603, "sdf");
    // Several at once.
    let both = joint("revolute", "<origin xyz='1 2'/><axis xyz='x y z'/>");
    assert_eq!(wrong(&both).len(), 2);
}

#[test]
fn files_that_are_not_xml_or_attack_the_reader_are_refused() {
    assert_eq!(
        import("r", "root:x:0:0", &settings()),
        Err(Refusal::NoDescription)
    );
    assert_eq!(import("r", "", &settings()), Err(Refusal::NoDescription));
    for bad in [
        "<robot>",
        "<robot></link>",
        "<robot name=r/>",
        "<a/><b/>",
        "<robot>&none;</robot>",
    ] {
        assert_eq!(wrong(bad)[0].0, E0600, "{bad}");
    }
    let bomb = "<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>";
    assert_eq!(wrong(bomb)[0].0, E0600);
    let deep = "<a>".repeat(300_000);
    assert_eq!(wrong(&deep)[0].0, E0600);
    let many = "<link name='x'/>".repeat(5000);
    assert_eq!(
        wrong(&format!("<robot name='r'>{many}</robot>"))[0].0,
        E0603
    );
    // What opens and never ends, and letters of several bytes.
    for odd in ["<", "<!--", "<é", "<r é='<'>", "<robot \u{0}>"] {
        assert!(import("r", odd, &settings()).is_err(), "{odd}");
    }
}

#[test]
fn a_machine_of_too_many_bodies_is_no_bug() {
    let mut text = "<robot name='r'><link name='l0'/>".to_owned();
    for at in 1..1900 {
        let before = at - 1;
        text += &format!(
            "<link name='l{at}'>{MASS}</link><joint name='j{at}' type='revolute'><origin rpy='0.1 0.2 0.3' xyz='0 0 1'/><parent link='l{before}'/><child link='l{at}'/></joint>"
        );
    }
    text += "</robot>";
    assert_eq!(import("r", &text, &settings()), Err(Refusal::TooLarge));
}

#[test]
fn limbs_that_differ_in_shape_stay_as_they_are() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/imported");
    let description = std::fs::read_to_string(folder.join("legs.urdf")).unwrap();
    let settings = Settings {
        parts: Some("legs".to_owned()),
        ..settings()
    };
    assert_eq!(done(&description, &settings).parts.len(), 1);
    let other = description.replacen("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 1\"/>", 1);
    assert_eq!(done(&other, &settings).parts, []);
    let named = description.replace("left_knee", "knee_of_left_leg");
    assert_eq!(done(&named, &settings).parts, []);
}

/// A body of MuJoCo with a hinge, and what stands beside it.
fn hinge(joint: &str, beside: &str) -> String {
    format!(
        "<mujoco model='m'><worldbody><body name='b'><joint name='j' {joint}/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>{beside}</mujoco>"
    )
}

#[test]
fn what_mujoco_does_is_written_as_loads() {
    for (inside, beside, expected) in [
        ("", "", "frame rotate(N, j, N.z)"),
        (
            "stiffness='2' springref='30'",
            "",
            "spring j_spring: on j, stiffness 2, rest 30 [deg]",
        ),
        (
            "armature='0.1'",
            "",
            "body j_rotor: frame rotate(N, j, N.z), mass 0, center O, inertia [0, 0, 0.1]",
        ),
        (
            "frictionloss='0.3'",
            "",
            "torque on j: -0.3*tanh(j'/v_slip)",
        ),
        ("ref='10'", "", "rotate(N, j - 10 [deg], N.z)"),
        ("range='-45 90'", "", "assume j <= 90 [deg]"),
        (
            "",
            "<actuator><motor joint='j' gear='5'/></actuator>",
            "torque on j: 5*u_1",
        ),
        (
            "",
            "<actuator><position name='p' joint='j' kp='10' kv='2'/></actuator>",
            "torque on j: 10*p - 10*j - 2*j'",
        ),
        ("", "<option gravity='0 1 -9'/>", "gravity: [0, 1, -9] in N"),
    ] {
        let found = text(&hinge(inside, beside));
        assert!(found.contains(expected), "{expected}\n{found}");
    }
}

#[test]
fn where_nothing_falls_there_is_no_gravity() {
    let found = text(&hinge("", "<option><flag gravity='disable'/></option>"));
    assert!(!found.contains("gravity"), "{found}");
}

#[test]
fn what_changes_the_motion_and_is_not_read_is_refused() {
    for (inside, beside, code) in [
        ("springdamper='1 1'", "", E0603),
        ("class='none'", "", E0602),
        ("axis='0 0 0'", "", E0601),
        ("type='screw'", "", E0601),
        ("", "<option density='1000'/>", E0603),
        ("", "<option><flag passive='disable'/></option>", E0603),
        ("", "<compiler boundmass='3'/>", E0603),
        ("", "<include file='x.xml'/>", E0602),
        ("", "<include/>", E0602),
        ("", "<actuator><motor joint='k'/></actuator>", E0602),
        ("", "<actuator><motor tendon='t'/></actuator>", E0603),
        ("", "<actuator><muscle joint='j'/></actuator>", E0603),
        ("", "<tendon><spatial stiffness='3'/></tendon>", E0603),
        ("", "<equality><tendon tendon1='t'/></equality>", E0603),
        (
            "",
            "<equality><connect body1='c' anchor='0 0 0'/></equality>",
            E0602,
        ),
        ("", "<extension/>", E0603),
    ] {
        let found = wrong(&hinge(inside, beside));
        assert!(
            found.iter().any(|(c, _)| *c == code),
            "{inside}{beside}: {found:?}"
        );
    }
    let mesh = "<mujoco><worldbody><body name='b'><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    assert_eq!(wrong(mesh)[0].0, E0603);
    let base = Settings {
        base: Some(Base::Fixed),
        ..settings()
    };
    assert!(matches!(
        import("m", &hinge("", ""), &base),
        Err(Refusal::Settings(_))
    ));
}

#[test]
fn a_weld_holds_both_bodies_as_they_began() {
    let second = "<body name='c' pos='1 0 0' euler='0 0 30'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>";
    let beside = "<equality><weld name='w' body1='b' body2='c'/></equality>";
    let found = text(&hinge("", beside).replace("</worldbody>", second));
    for expected in [
        "constraint w: O + b.x = O_c",
        "dot(c.x, w_axes.y) = 0",
        // A turn by 30 degrees about z.
        "e0 = 0.965925826289068,",
        "e3 = 0.258819045102521",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
}

#[test]
fn a_coupling_without_a_leader_holds_a_joint_beside_its_reference() {
    let second = "<body name='c'><joint name='k'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>";
    let beside = "<equality><joint joint1='j' polycoef='0.5 0 0 0 0'/></equality>";
    let found = text(&hinge("ref='10'", beside).replace("</worldbody>", second));
    assert!(!found.contains("coord j"), "{found}");
    // At 10 degrees the body is as it was placed, half a radian beyond it is turned by that.
    let behind = "<body name='c'><joint name='k'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></body>";
    let found = text(&hinge("ref='10'", beside).replace("</body>", behind));
    assert!(found.contains("frame b = rotate(N, 0.5, N.z)"), "{found}");
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) as usize) % most.max(1)
    }
}

/// One change to a description: a line gone, doubled or moved, a value replaced, a byte gone.
fn changed(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = dice.below(lines.len());
    match dice.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let to = dice.below(lines.len());
            lines.swap(at, to);
        }
        3 => {
            let values: Vec<usize> = lines[at].match_indices('"').map(|(at, _)| at).collect();
            if values.len() > 1 {
                let pair = 2 * dice.below(values.len() / 2);
                let odd = [
                    "",
                    "0",
                    "-1",
                    "1e30",
                    "nan",
                    "0 0 0",
                    "1 2 3",
                    "x",
                    "N",
                    "0 0 0 0",
                    "free",
                    "base_link",
                    "j ' &lt;",
                    "1e-300",
                ];
                let new = odd[dice.below(odd.len())];
                lines[at].replace_range(values[pair] + 1..values[pair + 1], new);
            }
        }
        4 => {
            let length = lines[at].len();
            lines[at].truncate(dice.below(length + 1));
        }
        _ => {
            let line = lines[at].clone();
            let name = line.find("name=\"").map(|at| at + 6);
            if let Some((from, length)) =
                name.and_then(|from| Some((from, line[from..].find('"')?)))
            {
                let other = [
                    "pi", "if", "O", "t", "e0", "px", "v_slip", "base", "root", "side_y", "x.y",
                    "1", "",
                ];
                lines[at].replace_range(from..from + length, other[dice.below(other.len())]);
            }
        }
    }
    lines.join("\n")
}

/// Whatever is done to a description, it is a model or refused with its place: no panic, and no text that is not a model.
#[test]
fn descriptions_changed_at_random_are_read_or_refused() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/imported");
    let mut dice = Dice(22);
    let (mut read, mut refused) = (0, 0);
    for file in ["joints.urdf", "legs.urdf", "bodies.xml", "loop.xml"] {
        let description = std::fs::read_to_string(folder.join(file)).unwrap();
        for _ in 0..150 {
            let mut text = description.clone();
            for _ in 0..=dice.below(3) {
                text = changed(&text, &mut dice);
            }
            let settings = Settings {
                parts: Some("part".to_owned()),
                ..settings()
            };
            match import(file, &text, &settings) {
                Ok(_) => read += 1,
                Err(Refusal::Bug(found, written)) => {
                    panic!(
                        "{text}\n\n{}",
                        crate::diag::render("out", &written, &found, false)
                    )
                }
                Err(Refusal::Description(found)) => {
                    assert!(!found.is_empty());
                    refused += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}

#[test]
fn bounds_that_would_state_a_sign_stay_documentation() {
    let limited = |lower: &str, upper: &str| {
        let inside = format!("<limit lower='{lower}' upper='{upper}' effort='3' velocity='2'/>");
        text(&joint("revolute", &inside))
    };
    let found = limited("0.5", "1");
    assert!(
        !found.contains("assume j >=") && found.contains("assume j <= 1"),
        "{found}"
    );
    let found = limited("-1", "0");
    assert!(
        found.contains("assume j >= -1") && !found.contains("assume j <="),
        "{found}"
    );
    assert!(found.contains("/// -57.3 to 0 deg"), "{found}");
}

#[test]
fn frames_place_bodies() {
    let body = "<body name='c'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint name='k' axis='0 1 0'/></body>";
    let framed = format!("<frame name='f' pos='1 2 0' euler='0 0 90'>{body}</frame></worldbody>");
    let found = text(&hinge("", "").replace("</worldbody>", &framed));
    // The axis y of the frame is -x of the world.
    for expected in [
        "rotate(N, 90 [deg], N.z)",
        "O + N.x + 2*N.y",
        "body c: frame rotate(c_mount, k, c_mount.y)",
    ] {
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    // What is in a frame inside a body belongs to the body.
    let owned = "<body name='c'><frame pos='0 3 0'><geom type='sphere' size='1'/><joint name='k'/></frame></body></worldbody>";
    let found = text(&hinge("", "").replace("</worldbody>", owned));
    assert!(
        found.contains("point O_c = O + 3*N.y - 3*c_axes.y")
            && found.contains("center O_c + 3*c_axes.y"),
        "{found}"
    );
}
