//! A user's crate with a committed file, built without the algebra engine: the file is used if it is fresh, and refused with the command that
//! writes it anew if not.
#![cfg(feature = "cli")]

use std::process::Command;

use crate::nested::{Crate, fail, said, succeed, turn};

/// A mass of 2 kg on a spring.
fn model(stiffness: f64) -> String {
    format!(
        "model oscillator\nparam m = 2 : kg > 0\nparam k = {stiffness} : N/m\ncoord x : m\n\
         point P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x\n"
    )
}

const MAIN: &str = "#[eomgen_macros::derive_eom(generated = \"src/oscillator.rs\", model = \"models/oscillator.eom\", method = \"kane\")]
mod oscillator {}

fn main() {
    let p = oscillator::Params::default();
    println!(\"{:?}\", oscillator::accelerations(0.0, &[0.5, 0.0], &p)[0]);
}
";

fn user(name: &str, main: &str) -> Crate {
    let user = Crate::program(name, "");
    user.write("models/oscillator.eom", &model(3.0));
    user.write("src/main.rs", main);
    user
}

/// Runs the command that a message names, as a person would: with the program of this version, in the crate's folder.
fn obey(user: &Crate, said: &str) {
    let command = said
        .lines()
        .find_map(|line| line.split("to write it, run: ").nth(1));
    let command = command.unwrap_or_else(|| panic!("no command in\n{said}"));
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("eomgen"));
    let mut eomgen = Command::new(env!("CARGO_BIN_EXE_eomgen"));
    succeed(eomgen.args(words).current_dir(&user.folder));
}

#[test]
#[ignore = "builds crates: cargo test -p eomgen --test suite committed -- --ignored"]
fn a_stale_file_is_refused_with_the_command_that_puts_it_right() {
    let _turn = turn();
    let user = user("committed", MAIN);
    let mut build = user.cargo(&["build"]);
    let missing = fail(&mut build);
    assert!(missing.contains("src/oscillator.rs"), "{missing}");
    let command = "eomgen derive models/oscillator.eom -o src/oscillator.rs --method kane";
    assert!(
        missing.contains(&format!("to write it, run: {command}\n")),
        "{missing}"
    );
    obey(&user, &missing);
    assert_eq!(user.run().trim(), "-0.75");

    user.write("models/oscillator.eom", &model(5.0));
    let stale = fail(&mut build);
    assert!(stale.contains("src/oscillator.rs is stale"), "{stale}");
    assert!(stale.contains("src/main.rs:1:"), "{stale}");
    obey(&user, &stale);
    assert_eq!(user.run().trim(), "-1.25");

    // A hand in the file.
    let text = user.read("src/oscillator.rs");
    user.write("src/oscillator.rs", &text.replacen("p.k", "2.0 * p.k", 1));
    let edited = fail(&mut build);
    assert!(edited.contains("src/oscillator.rs is stale"), "{edited}");
    obey(&user, &edited);
    assert_eq!(user.read("src/oscillator.rs"), text);
    assert_eq!(user.run().trim(), "-1.25");

    // Other options.
    user.write("src/main.rs", &MAIN.replace("kane", "lagrange"));
    let other = fail(&mut build);
    assert!(
        other.contains(&command.replace("kane", "lagrange")),
        "{other}"
    );
    obey(&user, &other);
    assert_eq!(user.run().trim(), "-1.25");
}

#[test]
#[ignore = "builds crates: cargo test -p eomgen --test suite committed -- --ignored"]
fn without_the_feature_the_engine_is_not_built() {
    let _turn = turn();
    let user = user("engineless", "fn main() {}\n");
    let output = user
        .cargo(&["build", "--message-format=json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    let packages: Vec<String> = printed
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter_map(|message| Some(message["package_id"].as_str()?.to_owned()))
        .collect();
    let built = |name: &str| {
        let id = format!("#{name}@");
        packages.iter().any(|package| package.contains(&id))
    };
    assert!(built("syn"), "{packages:?}");
    for name in ["symbolica", "numerica", "graphica", "astro-float"] {
        assert!(!built(name), "{name}");
    }
}

#[test]
#[ignore = "builds crates: cargo test -p eomgen --test suite committed -- --ignored"]
fn without_the_feature_an_attribute_that_derives_says_what_to_do() {
    let _turn = turn();
    let main = MAIN.replace("generated = \"src/oscillator.rs\", ", "");
    let user = user("underived", &main);
    let said = fail(&mut user.cargo(&["build"]));
    for words in ["src/main.rs:1:", "derive", "generated ="] {
        assert!(said.contains(words), "{said}");
    }
}
