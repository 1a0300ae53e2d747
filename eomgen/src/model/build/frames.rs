//! Frames: simple rotations, rotations about given axes, sequences, direction cosines.

use super::{Builder, meta};
use crate::diag::{Diagnostic, suggest};
use crate::model::codes;
use crate::model::content::Content;
use crate::model::resolve::{
    FRAMES, Typed, content_of, exact, foreign_frame, position_only, strip,
};
use crate::model::system::{Axis, Frame, FrameId, Meta, Orientation, Rational, Scalar, Vector};
use crate::model::units::DimExpr;
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind, Ident};
use crate::syntax::print;
use num_traits::{One, Zero};

/// Rotations in one sequence.
const LONGEST_SEQUENCE: usize = 6;

/// A frame before it has an id.
pub(super) struct Rotated {
    pub(super) parent: FrameId,
    /// One for each rotation; all but the last make hidden frames.
    pub(super) rotations: Vec<Orientation>,
    pub(super) content: Content,
}

impl Builder<'_> {
    /// `frame B = rotate(...)` and its kin.
    pub(super) fn frame(&mut self, index: usize) {
        let decl = self.declared.frames[index];
        let Some(rotated) = self.orientation(decl.name, decl.value) else {
            return;
        };
        let what = format!("the frame `{}`", decl.name.text);
        self.scope
            .check_position(rotated.content, decl.value.span, &what);
        let own = position_only(rotated.content);
        let content = own.plus(self.scope.frame_content(rotated.parent));
        let mut parent = rotated.parent;
        let last = rotated.rotations.len() - 1;
        for (i, rotation) in rotated.rotations.into_iter().enumerate() {
            let meta = if i == last {
                meta(decl.name, decl.item)
            } else {
                Meta {
                    name: format!("{}#{}", decl.name.text, i + 1),
                    shown: None,
                    unit: None,
                    docs: String::new(),
                    span: decl.name.span,
                }
            };
            let id = FrameId(self.frames.len() as u32);
            self.scope.frame_facts.push((meta.name.clone(), content));
            self.steady.push(own.is_constant());
            self.frames.push(Frame {
                meta,
                orientation: Some((parent, rotation)),
            });
            parent = id;
        }
        // The inertial frame is the first of all.
        self.scope.frames[index + 1] = Some(parent);
    }

    fn orientation(&mut self, name: &Ident, value: &Expr) -> Option<Rotated> {
        let value = strip(value);
        let ExprKind::Call(function, args) = &value.kind else {
            if !matches!(value.kind, ExprKind::Error) {
                self.no_frame(name, value.span, None);
            }
            return None;
        };
        match function.text.as_str() {
            "rotate" => self.rotate(name, args, value.span),
            "rotate_body" => self.sequence(name, args, value.span, false),
            "rotate_space" => self.sequence(name, args, value.span, true),
            "matrix" => self.matrix(name, args, value.span),
            "quaternion" => self.quaternion(name, args, value.span),
            "rodrigues" => self.gibbs(name, args, value.span, false),
            "mrp" => self.gibbs(name, args, value.span, true),
            other => {
                let near = suggest::closest(other, FRAMES).or_else(|| foreign_frame(other));
                self.no_frame(name, value.span, near);
                None
            }
        }
    }

    /// `near`: the rotation that was probably meant.
    fn no_frame(&mut self, name: &Ident, span: Span, near: Option<&str>) {
        let all = FRAMES.map(example);
        let help = match near.map(example) {
            Some(one) => format!("did you mean `{one}`?"),
            None => {
                let (last, others) = all.split_last().unwrap_or((&"", &[]));
                let others: Vec<String> = others.iter().map(|e| format!("`{e}`")).collect();
                format!("write {} or `{last}`", others.join(", "))
            }
        };
        self.scope.report(Diagnostic::error_with_help(
            codes::FRAME,
            format!("this does not say how `{}` is oriented", name.text),
            span,
            "not a rotation",
            help,
        ));
    }

    pub(super) fn usage<T>(&mut self, span: Span, title: &str, example: &str) -> Option<T> {
        self.scope.refuse(Diagnostic::error_with_help(
            codes::FRAME,
            title,
            span,
            "these are not the right arguments",
            format!("write it like `{example}`"),
        ))
    }

    /// An angle or direction cosine.
    pub(super) fn pure_number(&mut self, expr: &Expr, what: &str) -> Option<Typed<Scalar>> {
        let typed = self.scope.scalar(expr, what)?;
        if !self.scope.equate(&typed.dim, &DimExpr::none(), typed.span) {
            let wrong = Diagnostic::error(
                codes::UNIT_ARGUMENT,
                format!("{what} has to be dimensionless"),
                typed.span,
                format!("this is {}", self.scope.unit_phrase(&typed.dim)),
            );
            let wrong = self.scope.explain_units(wrong, &[&typed.dim]);
            self.scope
                .report(wrong.help("angles (`rad`) and ratios are dimensionless"));
        }
        Some(typed)
    }

    /// `rotate(PARENT, angle, AXIS)`
    fn rotate(&mut self, name: &Ident, args: &[Expr], span: Span) -> Option<Rotated> {
        if let Some(help) = sequence_meant(args) {
            return self.scope.refuse(Diagnostic::error_with_help(
                codes::FRAME,
                "`rotate` takes a frame, one angle and an axis",
                span,
                "this is a sequence of rotations",
                help,
            ));
        }
        if let [parent, first, second, third] = args
            && [first, second, third]
                .iter()
                .all(|angle| !self.is_direction(angle))
        {
            let parent = print::expression(parent);
            let angles = print::list(&args[1..], print::expression);
            return self.scope.refuse(Diagnostic::error_with_help(
                codes::FRAME,
                "`rotate` takes a frame, one angle and an axis",
                span,
                "these are three angles",
                format!("say about which axes: `rotate_body({parent}, zxz, {angles})`, one after the other about its own axes, or `rotate_space({parent}, xyz, {angles})`"),
            ));
        }
        let [parent_expr, angle, axis_expr] = args else {
            return self.usage(
                span,
                "`rotate` takes a frame, an angle and an axis",
                "rotate(N, theta, N.z)",
            );
        };
        let parent = self.scope.frame_ref(parent_expr);
        if self.is_direction(angle) && !self.is_direction(axis_expr) {
            return self.usage(
                span,
                "`rotate` takes the angle before the axis",
                "rotate(N, theta, N.z)",
            );
        }
        let angle = self.pure_number(angle, "an angle").map(|a| self.turned(a));
        let parent = parent?;
        self.scope.own_frame = Some((name.text.clone(), parent));
        let axis = self.scope.vector(axis_expr, "an axis");
        self.scope.own_frame = None;
        let (angle, axis) = (angle?, axis?);
        let components = self.axis_components(&axis, parent)?;
        let rotation = self.rotation(components, angle.value, axis.span)?;
        Some(Rotated {
            parent,
            rotations: vec![rotation],
            content: angle.content,
        })
    }

    /// Whether an expression is a basis vector as written.
    fn is_direction(&self, expr: &Expr) -> bool {
        let mut expr = strip(expr);
        while let ExprKind::Neg(inner) = &expr.kind {
            expr = strip(inner);
        }
        matches!(&expr.kind, ExprKind::Field(_, axis) if matches!(axis.text.as_str(), "x" | "y" | "z"))
    }

    /// `rotate_body(PARENT, zxz, a, b, c)`, `rotate_space(PARENT, xyz, a, b, c)`
    fn sequence(
        &mut self,
        name: &Ident,
        args: &[Expr],
        span: Span,
        space: bool,
    ) -> Option<Rotated> {
        let function = if space { "rotate_space" } else { "rotate_body" };
        let [parent, letters, angles @ ..] = args else {
            let title = format!("`{function}` takes a frame, a sequence of axes and the angles");
            return self.usage(span, &title, &format!("{function}(N, zxz, a, b, c)"));
        };
        let parent = self.scope.frame_ref(parent);
        let axes = self.letters(letters);
        let angles: Vec<_> = angles
            .iter()
            .map(|a| self.pure_number(a, "an angle").map(|a| self.turned(a)))
            .collect();
        let (parent, axes) = (parent?, axes?);
        if angles.len() != axes.len() {
            return self.usage(
                span,
                &format!(
                    "a sequence of {} rotations needs {} angles, not {}",
                    axes.len(),
                    axes.len(),
                    angles.len()
                ),
                &format!("frame {} = {function}(N, zxz, a, b, c)", name.text),
            );
        }
        let angles = angles.into_iter().collect::<Option<Vec<_>>>()?;
        let content = content_of(&angles);
        let mut rotations: Vec<_> = std::iter::zip(axes, angles)
            .map(|(axis, angle)| Orientation::Simple {
                axis,
                angle: angle.value,
            })
            .collect();
        // Rotations about the axes of the parent are those about the rotated axes in reverse order.
        if space {
            rotations.reverse();
        }
        Some(Rotated {
            parent,
            rotations,
            content,
        })
    }

    /// The axes of a sequence such as `zxz`.
    fn letters(&mut self, expr: &Expr) -> Option<Vec<Axis>> {
        let text = match &strip(expr).kind {
            ExprKind::Name(text) => text.clone(),
            ExprKind::Number { text, unit: None } => text.clone(),
            _ => String::new(),
        };
        let axes: Option<Vec<Axis>> = text
            .chars()
            .map(|c| match c {
                'x' => Some(Axis::X),
                'y' => Some(Axis::Y),
                'z' => Some(Axis::Z),
                _ => None,
            })
            .collect();
        if let Some(axes) = axes
            && (1..=LONGEST_SEQUENCE).contains(&axes.len())
        {
            return Some(axes);
        }
        let spelled: String = text
            .chars()
            .filter_map(|c| match c {
                '1' | 'x' | 'X' => Some('x'),
                '2' | 'y' | 'Y' => Some('y'),
                '3' | 'z' | 'Z' => Some('z'),
                _ => None,
            })
            .collect();
        let example = if spelled.len() == text.len() && (1..=6).contains(&spelled.len()) {
            spelled
        } else {
            "zxz".to_string()
        };
        self.scope.refuse(Diagnostic::error_with_help(
            codes::FRAME,
            "this is not a sequence of axes",
            expr.span,
            format!("this takes one to {LONGEST_SEQUENCE} letters `x`, `y`, `z`"),
            format!("write `{example}`"),
        ))
    }

    /// `matrix(PARENT, [r11, r12, r13], [...], [...])`
    fn matrix(&mut self, name: &Ident, args: &[Expr], span: Span) -> Option<Rotated> {
        let usage = "matrix(N, [1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)])";
        let [parent, lists @ ..] = args else {
            return self.usage(span, "`matrix` takes a frame and three rows", usage);
        };
        let parent = self.scope.frame_ref(parent);
        let mut entries = Vec::new();
        for list in lists {
            if let ExprKind::List(row) = &strip(list).kind
                && row.len() == 3
            {
                for entry in row {
                    entries.push(self.pure_number(entry, "a direction cosine"));
                }
            }
        }
        if lists.len() != 3 || entries.len() != 9 {
            return self.usage(span, "`matrix` takes three rows of three entries", usage);
        }
        let parent = parent?;
        let mut entries: Vec<Typed<Scalar>> = entries.into_iter().collect::<Option<_>>()?;
        let content = content_of(&entries);
        let numbers: Option<Vec<Rational>> = entries.iter().map(|e| exact(&e.value)).collect();
        if let Some(numbers) = numbers
            && let Some(fault) = not_a_rotation(&numbers)
        {
            if let Some(nearest) = self.nearest_rotation(&numbers, &name.text, span) {
                for (entry, number) in entries.iter_mut().zip(nearest) {
                    entry.value = Scalar::Number(number);
                }
                return Some(of_rows(parent, &entries, content));
            }
            let title = format!("the matrix of `{}` is not a rotation", name.text);
            let wrong = Diagnostic::error(codes::NOT_A_ROTATION, title, span, fault);
            return self.scope.refuse(wrong.help(
                "its columns are the basis vectors of the new frame in the parent: orthonormal and right-handed",
            ));
        }
        Some(of_rows(parent, &entries, content))
    }
}

/// The rotation of nine direction cosines, by rows.
fn of_rows(parent: FrameId, entries: &[Typed<Scalar>], content: Content) -> Rotated {
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entries[3 * i + j].value.clone()));
    Rotated {
        parent,
        rotations: vec![Orientation::Matrix { rows }],
        content,
    }
}

/// How a rotation is written.
fn example(function: &str) -> &'static str {
    match function {
        "rotate_body" => "rotate_body(N, zxz, a, b, c)",
        "rotate_space" => "rotate_space(N, xyz, a, b, c)",
        "matrix" => "matrix(N, [...], [...], [...])",
        "quaternion" => "quaternion(N, e0, e1, e2, e3)",
        "rodrigues" => "rodrigues(N, p1, p2, p3)",
        "mrp" => "mrp(N, s1, s2, s3)",
        _ => "rotate(N, angle, N.z)",
    }
}

/// What to write for a sequence of axes that is given to `rotate`: `rotate(N, zxz, a, b, c)`, `rotate(N, 313, a, b, c)`.
fn sequence_meant(args: &[Expr]) -> Option<String> {
    let [parent, letters, angles @ ..] = args else {
        return None;
    };
    let text = match &strip(letters).kind {
        ExprKind::Name(text) => {
            let text = text.to_lowercase();
            // As SymPy and Autolev write it: `body123`.
            let bare = ["body", "space"]
                .iter()
                .find_map(|word| text.strip_prefix(word));
            bare.filter(|rest| !rest.is_empty())
                .map_or(text.clone(), str::to_owned)
        }
        ExprKind::Number { text, unit: None } => text.clone(),
        _ => return None,
    };
    let axes: Option<String> = text
        .chars()
        .map(|c| match c {
            'x' | '1' => Some('x'),
            'y' | '2' => Some('y'),
            'z' | '3' => Some('z'),
            _ => None,
        })
        .collect();
    let axes = axes.filter(|axes| axes.len() >= 2 && axes.len() == angles.len())?;
    let (parent, angles) = (
        print::expression(parent),
        print::list(angles, print::expression),
    );
    Some(format!(
        "turns about the axes of the body are `rotate_body({parent}, {axes}, {angles})`, about axes fixed in `{parent}` `rotate_space({parent}, {axes}, {angles})`"
    ))
}

/// What keeps a matrix (by rows) from being a rotation.
fn not_a_rotation(m: &[Rational]) -> Option<String> {
    let one = Rational::one();
    for i in 0..3 {
        for j in i..3 {
            let product = (0..3).fold(Rational::zero(), |sum, k| {
                sum + &m[3 * k + i] * &m[3 * k + j]
            });
            let (i, j) = (i + 1, j + 1);
            if i == j && product != one {
                return Some(format!("column {i} is not of length 1"));
            }
            if i != j && !product.is_zero() {
                return Some(format!("columns {i} and {j} are not perpendicular"));
            }
        }
    }
    let minor = |a: usize, b: usize| &m[3 + a] * &m[6 + b] - &m[3 + b] * &m[6 + a];
    let determinant = &m[0] * minor(1, 2) - &m[1] * minor(0, 2) + &m[2] * minor(0, 1);
    (determinant != one).then(|| "its columns are left-handed".to_string())
}

impl Builder<'_> {
    /// The farthest ancestor to which a frame is rigidly attached; frames with the same one rotate
    /// together.
    pub(super) fn anchor(&self, frame: FrameId) -> FrameId {
        let mut at = frame;
        while let Some((parent, _)) = &self.frames[at.index()].orientation
            && self.steady[at.index()]
        {
            at = *parent;
        }
        at
    }

    /// A frame given by name.
    pub(super) fn frame_by_name(&mut self, name: &Ident) -> Option<FrameId> {
        self.scope.frame_named(&name.text, name.span)
    }

    /// A value that has to be a vector with this unit.
    pub(super) fn vector_in(
        &mut self,
        expr: &Expr,
        dim: crate::model::units::Dim,
        what: &str,
    ) -> Option<Typed<Vector>> {
        let typed = self.scope.vector(expr, what)?;
        if !matches!(typed.value, Vector::Zero) {
            self.scope.require(&typed, dim, what, None);
        }
        Some(typed)
    }
}
