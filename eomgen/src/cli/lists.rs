//! The commands that print what is known without a model.

use super::console::{Problem, print};
use crate::diag::codes;
use crate::pipeline;

/// `eomgen methods`
pub(super) fn methods() -> Result<(), Problem> {
    let blocks: Vec<String> = pipeline::methods()
        .iter()
        .map(|method| {
            format!(
                "{}\n    {}\n    needs: {}\n    gives: {}\n",
                method.name, method.equation, method.requirements, method.result
            )
        })
        .collect();
    print(&blocks.join("\n"))
}

/// `eomgen explain CODE`
pub(super) fn explain(code: &str) -> Result<(), Problem> {
    match codes::find(&code.to_uppercase()) {
        Some(entry) => print(&format!("{}\n", entry.explanation().trim_end())),
        None => Err(Problem::Usage(format!(
            "there is no diagnostic with the code '{code}'; codes look like E0001"
        ))),
    }
}
