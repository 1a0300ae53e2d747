//! States that are drawn, and what the machine does there.

use super::*;
use crate::verify::states::Sample;

#[test]
#[ignore = "looks at all models"]
fn survey() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated-tests/models");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|e| {
            e.unwrap()
                .file_name()
                .to_str()?
                .strip_suffix(".eom")
                .map(String::from)
        })
        .collect();
    names.sort();
    for name in names {
        let text = std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("../generated-tests/models/{name}.eom")),
        )
        .unwrap();
        let parsed = syntax::parse(&text);
        let (Some(system), _) = build(&parsed.file) else {
            println!("{name}: not built");
            continue;
        };
        let start = std::time::Instant::now();
        let machine = match Machine::new(&system, 1) {
            Ok(m) => m,
            Err(e) => {
                println!("{name}: NO MACHINE {e:?}");
                continue;
            }
        };
        let built = start.elapsed().as_millis();
        match Sample::draw(&machine, 3, 1) {
            Ok(Sample::Field(_)) => println!("{name}: field"),
            Ok(Sample::Digits(_, why)) => println!("{name}: digits ({why})"),
            Err(e) => println!("{name}: NONE {e:?}"),
        }
        println!("      {built} {} ms", start.elapsed().as_millis());
    }
}
