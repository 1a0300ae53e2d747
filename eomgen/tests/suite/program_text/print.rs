//! Prints a program.

use std::fmt::{self, Write};

use super::comparison_word;
use eomgen::internals::ir::{Op, Part, Program, RoutineKind, Slot, Value};

/// The program as text; see the [module](super).
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_program(&mut out, program);
    out
}

fn write_program(out: &mut String, program: &Program) -> fmt::Result {
    for group in &program.interface.groups {
        let entries: Vec<String> = group.entries.iter().map(|name| quoted(name)).collect();
        let line = format!("group {} = {}", quoted(&group.name), entries.join(", "));
        writeln!(out, "{}", line.trim_end())?;
    }
    for f in &program.interface.functions {
        writeln!(
            out,
            "extern {} arity {} order {}",
            quoted(&f.name),
            f.arity,
            f.order
        )?;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    for value in program.graph.values() {
        write!(out, "{value}")?;
        if let Some(name) = program.graph.name_of(value) {
            write!(out, " {}", quoted(name))?;
        }
        out.push_str(" = ");
        write_op(out, program.graph.op(value))?;
        if let Some(remark) = remark(program, value) {
            write!(out, "  ; {}", quoted(remark))?;
        }
        out.push('\n');
    }
    for function in &program.functions {
        write!(out, "\nfunction {}\n", quoted(&function.name))?;
        for check in &function.checks {
            write!(out, "  check {}", check.value)?;
            if let Some(scale) = check.scale {
                write!(out, " scale {scale}")?;
            }
            writeln!(out, " condition {}", check.condition)?;
        }
        for output in &function.outputs {
            writeln!(out, "  output {output}")?;
        }
    }
    Ok(())
}

fn write_op(out: &mut String, op: &Op) -> fmt::Result {
    match op {
        Op::Constant(number) => write!(out, "{number}")?,
        Op::Pi => out.push_str("pi"),
        Op::Input(Slot { group, index }) => write!(out, "input {group}.{index}")?,
        Op::Unary(op, _) => out.push_str(op.word()),
        Op::Binary(op, ..) => out.push_str(op.word()),
        Op::Select { test, .. } => write!(out, "select {}", comparison_word(*test))?,
        Op::Call { function, .. } => write!(out, "call {function}")?,
        Op::Jet { .. } => out.push_str("jet"),
        Op::Routine { kind, .. } => match kind {
            RoutineKind::MinimumNorm { rows, cols } => write!(out, "minimum_norm {rows} {cols}")?,
            RoutineKind::Constrained { n, m } => write!(out, "constrained {n} {m}")?,
        },
        Op::Element { .. } => out.push_str("element"),
    }
    for operand in op.operands() {
        write!(out, " {operand}")?;
    }
    match op {
        Op::Jet { part, .. } => match part {
            Part::Value => out.push_str(" value"),
            Part::Gradient(i) => write!(out, " gradient {i}")?,
            Part::Hessian(i, j) => write!(out, " hessian {i} {j}")?,
        },
        Op::Element { index, .. } => write!(out, " {index}")?,
        _ => {}
    }
    Ok(())
}

/// The interface's name for an input or a call.
fn remark(program: &Program, value: Value) -> Option<&str> {
    let interface = &program.interface;
    match program.graph.op(value) {
        Op::Input(slot) => {
            let group = interface.groups.get(usize::from(slot.group))?;
            group.entries.get(slot.index as usize).map(String::as_str)
        }
        Op::Call { function, .. } => {
            let function = interface.functions.get(*function as usize)?;
            Some(&function.name)
        }
        _ => None,
    }
}

/// A string in quotes, on one line.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
