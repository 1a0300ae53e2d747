//! A module whose functions compute equal branches side by side ([`ir::aligned`](crate::ir::aligned)), where numbers are numbers.

use super::module::{Module, Scalar};
use crate::ir::{Interface, Program, aligned};

/// The module with what is equal in form computed alike, and what that is.
pub fn abreast(module: Module) -> Module {
    if module.scalar == Scalar::Generic {
        return module;
    }
    let program = Program {
        interface: Interface::default(),
        functions: module.functions.iter().map(|f| f.body.clone()).collect(),
        graph: module.graph.clone(),
    };
    let Some((program, branches)) = aligned(&program, &[module.groups.params]) else {
        return module;
    };
    let mut module = Module {
        graph: program.graph,
        branches,
        ..module
    };
    for (function, body) in module.functions.iter_mut().zip(program.functions) {
        function.body = body;
    }
    module
}
