//! The statements of one link: its coordinates, frame, origin, body, loads and drawings. Knows no format.

use super::super::decimal::Decimal;
use super::super::robot::{Form, Held, Joint, Link, Mass, Motion, Robot, Shape, Triple, is_zero};
use super::super::turn::{Angle, Axis, Turn, along};
use super::phrase;
use super::scope::Scope;

/// Longest line that is not broken.
const WIDEST: usize = 110;

/// Where a link is, before its frame and origin have names.
struct Pose {
    /// A frame that has a name.
    frame: String,
    /// The frame turned from it, not named yet.
    turned: Option<String>,
    /// The origin: a point that has a name, and what is added to it.
    point: String,
    added: String,
    /// The link's own name, once it is in use.
    own: Option<String>,
}

/// Writes links into a file.
pub struct Writer<'r> {
    /// The machine.
    pub robot: &'r Robot,
    /// Names of this file.
    pub scope: Scope,
    /// Blocks of lines.
    pub blocks: Vec<Vec<String>>,
    /// Frames and points that nothing is built on.
    pub aside: Vec<String>,
    /// What has the frame and the origin of another link.
    pub same: Vec<(String, String)>,
    /// Links of which something else depends, or that weigh something.
    pub needed: Vec<bool>,
}

impl<'r> Writer<'r> {
    /// For a file without anything in it yet.
    pub fn new(robot: &'r Robot) -> Self {
        let mut needed: Vec<bool> = robot
            .links
            .iter()
            .map(|link| {
                !link.masses.is_empty()
                    || !link.shapes.is_empty()
                    || !link.joints.is_empty()
                    || !link.marks.is_empty()
            })
            .collect();
        for at in (1..robot.links.len()).rev() {
            if needed[at]
                && let Some(parent) = robot.links[at].parent
            {
                needed[parent] = true;
            }
        }
        Self {
            robot,
            scope: Scope::default(),
            blocks: Vec::new(),
            aside: Vec::new(),
            same: Vec::new(),
            needed,
        }
    }

    /// A link that is fastened to a frame and a point with names.
    pub fn link(&mut self, at: usize, frame: &str, point: &str) {
        let link = &self.robot.links[at];
        let mut lines = Vec::new();
        let mut pose = Pose {
            frame: frame.to_owned(),
            turned: None,
            point: point.to_owned(),
            added: phrase::offset(&link.at, frame),
            own: None,
        };
        self.mount(at, &mut pose, &mut lines);
        for number in 0..link.joints.len() {
            let last = number + 1 == link.joints.len();
            self.joint((at, number), last, &mut pose, &mut lines);
        }
        self.finish(at, pose, &mut lines);
        if self.needed[at] {
            self.masses(at, &mut lines);
            self.loads(at, &mut lines);
            self.shapes(at, &mut lines);
            self.marks(at, &mut lines);
        }
        // What moves first, then where it is.
        let is_head = |line: &String| line.starts_with("coord ") || line.starts_with("input ");
        let (mut lines, rest): (Vec<String>, Vec<String>) = lines.into_iter().partition(is_head);
        lines.extend(rest);
        let target = &mut self.blocks;
        if self.needed[at] {
            if !lines.is_empty() {
                target.push(lines);
            }
        } else {
            self.aside.extend(lines);
        }
    }

    /// The constant orientation of a link, where it cannot be part of its joint.
    fn mount(&mut self, at: usize, pose: &mut Pose, lines: &mut Vec<String>) {
        let link = &self.robot.links[at];
        if link.turn == Turn::None {
            return;
        }
        let text = phrase::turned(&link.turn, &pose.frame);
        let first = link.joints.iter().find(|joint| !is_idle(joint));
        let alone = link.joints.len() == 1 && !has_anchor(link);
        match first.map(|joint| &joint.motion) {
            // One axis for both.
            Some(Motion::Hinge(axis)) if alone && shared_axis(&link.turn, axis).is_some() => {}
            None => pose.turned = Some(text),
            Some(Motion::Slide(_)) if alone => pose.turned = Some(text),
            Some(_) => {
                let name = self.scope.names.own(&format!("{}_mount", link.name));
                lines.push(format!("frame {name} = {text}"));
                pose.frame = name;
            }
        }
    }

    /// Gives the frame a name of its own where something has to be said in its axes.
    fn settle(&mut self, wanted: &str, pose: &mut Pose, lines: &mut Vec<String>) {
        if let Some(text) = pose.turned.take() {
            let name = self.scope.names.own(wanted);
            lines.push(format!("frame {name} = {text}"));
            pose.frame = name;
        }
    }

    /// The link's own name, which its frame or its body has.
    fn own(&mut self, at: usize, pose: &mut Pose) -> String {
        match &pose.own {
            Some(name) => name.clone(),
            None => {
                let name = self.scope.names.given(&self.robot.links[at].name);
                pose.own = Some(name.clone());
                name
            }
        }
    }

    fn joint(
        &mut self,
        place: (usize, usize),
        last: bool,
        pose: &mut Pose,
        lines: &mut Vec<String>,
    ) {
        let link = &self.robot.links[place.0];
        let joint = &link.joints[place.1];
        if is_idle(joint) {
            return;
        }
        let anchored = !is_zero(&joint.anchor) && joint.turns() != Some(false);
        if !matches!(joint.motion, Motion::Slide(_)) {
            self.settle(&format!("{}_{}", link.name, place.1), pose, lines);
        }
        if anchored {
            pose.added += &phrase::offset(&joint.anchor, &pose.frame);
        }
        match &joint.motion {
            Motion::Locked(motion, held) => locked(motion, held, pose),
            Motion::Hinge(axis) => {
                let name = self.coordinate(place, lines);
                let (angle, axis) = hinge(link, joint, &name, axis, &pose.frame);
                pose.turned = Some(phrase::rotate(&pose.frame, &angle, &axis));
            }
            Motion::Slide(axis) => {
                let name = self.coordinate(place, lines);
                let name = match phrase::less(&name, &joint.reference) {
                    sum if joint.reference.is_zero() => sum,
                    sum => format!("({sum})"),
                };
                self.settle(&format!("{}_axes", link.name), pose, lines);
                pose.added += &phrase::along_axis(&name, axis, &pose.frame);
            }
            Motion::Planar(axis) => self.planar(place, *axis, pose, lines),
            Motion::Ball => {
                let parts = self.quaternion(place, lines);
                pose.turned = Some(format!("quaternion({}, {parts})", pose.frame));
            }
            Motion::Free | Motion::FreeEuler => self.free(place, pose, lines),
        }
        if anchored {
            let back = joint.anchor.each_ref().map(|number| -number);
            let wanted = if last {
                format!("{}_axes", link.name)
            } else {
                format!("{}_{}", link.name, place.1 + 1)
            };
            self.settle(&wanted, pose, lines);
            pose.added += &phrase::offset(&back, &pose.frame);
        }
    }

    /// Declares the coordinate of a joint and its input.
    fn coordinate(&mut self, place: (usize, usize), lines: &mut Vec<String>) -> String {
        let joint = &self.robot.links[place.0].joints[place.1];
        let name = self.coordinate_name(joint);
        let value = match &joint.initial {
            Some(value) => format!(" = {}", joint.said(value)),
            None => String::new(),
        };
        let unit = if joint.turns() == Some(true) {
            " : rad"
        } else {
            ""
        };
        let told = told(joint);
        lines.push(format!("coord {name}{value}{unit}{told}"));
        self.scope.coordinates.insert(place, vec![name.clone()]);
        name
    }

    /// The joint's name, unless a link has it.
    fn coordinate_name(&mut self, joint: &Joint) -> String {
        let clash = self.robot.links.iter().any(|link| link.name == joint.name);
        if clash {
            let name = self.scope.names.own(&format!("q_{}", joint.name));
            self.scope
                .names
                .renamed
                .push((format!("{} (joint)", joint.name), name.clone()));
            name
        } else {
            self.scope.names.given(&joint.name)
        }
    }

    fn planar(
        &mut self,
        place: (usize, usize),
        axis: Axis,
        pose: &mut Pose,
        lines: &mut Vec<String>,
    ) {
        let joint = &self.robot.links[place.0].joints[place.1];
        let name =
            |writer: &mut Self, end: &str| writer.scope.names.own(&format!("{}_{end}", joint.name));
        let others = [(axis.index() + 1) % 3, (axis.index() + 2) % 3].map(|i| Axis::ALL[i]);
        let first = name(self, &others[0].letter().to_string());
        let second = name(self, &others[1].letter().to_string());
        let angle = name(self, "angle");
        lines.push(format!("coord {first}, {second}"));
        lines.push(format!("coord {angle} : rad"));
        pose.added += &format!(
            " + {first}*{} + {second}*{}",
            phrase::basis(&pose.frame, others[0]),
            phrase::basis(&pose.frame, others[1])
        );
        let axis = phrase::basis(&pose.frame, axis);
        pose.turned = Some(phrase::rotate(&pose.frame, &angle, &axis));
        self.scope
            .coordinates
            .insert(place, vec![first, second, angle]);
    }

    /// Declares the four parts of a quaternion, and returns them with commas.
    fn quaternion(&mut self, place: (usize, usize), lines: &mut Vec<String>) -> String {
        let joint = &self.robot.links[place.0].joints[place.1];
        let names = ["e0", "e1", "e2", "e3"].map(|end| self.scope.names.own(&prefixed(joint, end)));
        let start = joint.start_turn.parts();
        let started = names.iter().zip(start).map(|(name, part)| match part {
            0.0 => name.clone(),
            part => format!("{name} = {}", Decimal::of_double(part).text()),
        });
        let started: Vec<String> = started.collect();
        lines.push(format!("coord {}", started.join(", ")));
        let all = self.scope.coordinates.entry(place).or_default();
        all.extend(names.iter().cloned());
        names.join(", ")
    }

    fn free(&mut self, place: (usize, usize), pose: &mut Pose, lines: &mut Vec<String>) {
        let joint = &self.robot.links[place.0].joints[place.1];
        let mut name = |end: &str| self.scope.names.own(&prefixed(joint, end));
        let along = ["x", "y", "z"].map(|end| name(&format!("p{end}")));
        let started = along
            .iter()
            .zip(&joint.start)
            .map(|(name, value)| match value {
                value if value.is_zero() => name.clone(),
                value => format!("{name} = {}", value.text()),
            });
        let started: Vec<String> = started.collect();
        lines.push(format!("coord {}", started.join(", ")));
        if joint.motion == Motion::FreeEuler {
            let angles = ["yaw", "pitch", "roll"].map(name);
            lines.push(format!("coord {} : rad", angles.join(", ")));
            pose.turned = Some(format!(
                "rotate_body({}, zyx, {})",
                pose.frame,
                angles.join(", ")
            ));
            let all = along.iter().chain(&angles).cloned().collect();
            self.scope.coordinates.insert(place, all);
        } else {
            self.scope.coordinates.insert(place, along.to_vec());
            let parts = self.quaternion(place, lines);
            pose.turned = Some(format!("quaternion({}, {parts})", pose.frame));
        }
        pose.added += &format!(" + [{}] in {}", along.join(", "), pose.frame);
    }

    /// Names for the frame and the origin, unless they are those of another link.
    fn finish(&mut self, at: usize, mut pose: Pose, lines: &mut Vec<String>) {
        let link = &self.robot.links[at];
        let still = pose.turned.is_none() && pose.added.is_empty();
        if still && link.joints.is_empty() && link.masses.is_empty() {
            let ground = pose.frame == "N";
            let other = if ground { "the ground" } else { &pose.frame };
            self.same.push((link.name.clone(), other.to_owned()));
        }
        let point = if pose.added.is_empty() {
            pose.point.clone()
        } else {
            let name = self.scope.names.own(&format!("O_{}", link.name));
            lines.push(format!("point {name} = {}{}", pose.point, pose.added));
            name
        };
        // A body may declare its frame, and is called like it.
        let body = link.masses.first().filter(|mass| has_inertia(mass));
        let turned = pose.turned.take();
        let frame = match (turned, body) {
            (None, None) => pose.frame,
            (None, Some(mass)) => {
                let name = self.own(at, &mut pose);
                lines.extend(body_lines(&name, &pose.frame, &pose.frame, &point, mass));
                pose.frame
            }
            (Some(text), Some(mass)) => {
                let name = self.own(at, &mut pose);
                lines.extend(body_lines(&name, &text, &name, &point, mass));
                name
            }
            (Some(text), None) => {
                let name = self.own(at, &mut pose);
                lines.push(format!("frame {name} = {text}"));
                name
            }
        };
        self.scope.frames.insert(at, frame);
        self.scope.points.insert(at, point);
        self.speeds(at, lines);
    }

    /// The components of velocities as speeds, where a quaternion moves the link.
    fn speeds(&mut self, at: usize, lines: &mut Vec<String>) {
        let link = &self.robot.links[at];
        let (frame, point) = (self.scope.frame(at), self.scope.point(at));
        let [joint] = &link.joints[..] else { return };
        let three = |writer: &mut Self, ends: [&str; 3]| {
            ends.map(|end| writer.scope.names.own(&prefixed(joint, end)))
                .join(", ")
        };
        let base = match link.parent {
            Some(parent) => self.scope.frame(parent),
            None => "N".to_owned(),
        };
        let turning = if base == "N" {
            format!("angvel({frame})")
        } else {
            format!("angvel({frame}) - angvel({base})")
        };
        match joint.motion {
            Motion::Free => {
                let v = three(self, ["vx", "vy", "vz"]);
                let w = three(self, ["wx", "wy", "wz"]);
                if base == "N" {
                    lines.push(format!("speed {v} = vel({point}) in {frame}  /// velocity of its origin, in its own axes"));
                }
                lines.push(format!("speed {w} = {turning} in {frame}"));
            }
            Motion::Ball => {
                let w = three(self, ["wx", "wy", "wz"]);
                lines.push(format!("speed {w} = {turning} in {frame}"));
            }
            _ => {}
        }
    }

    /// Masses beyond the first, and those without an inertia.
    fn masses(&mut self, at: usize, lines: &mut Vec<String>) {
        let link = &self.robot.links[at];
        let (frame, point) = (self.scope.frame(at), self.scope.point(at));
        for (number, mass) in link.masses.iter().enumerate() {
            if number == 0 && has_inertia(mass) {
                continue;
            }
            let wanted = if number == 0 {
                if self.scope.names.is_free(&link.name) {
                    link.name.clone()
                } else {
                    format!("{}_mass", link.name)
                }
            } else {
                format!("{}_{}", link.name, number + 1)
            };
            let name = self.scope.names.own(&wanted);
            if has_inertia(mass) {
                lines.extend(body_lines(&name, &frame, &frame, &point, mass));
            } else {
                let place = phrase::place(&point, &mass.centre, &frame);
                lines.push(format!(
                    "particle {name}: mass {} at {place}",
                    mass.mass.text()
                ));
            }
        }
    }

    /// Springs, friction and inputs of the joints.
    fn loads(&mut self, at: usize, lines: &mut Vec<String>) {
        let joints = &self.robot.links[at].joints;
        for (number, joint) in joints.iter().enumerate() {
            let Some(turns) = joint.turns() else {
                self.coarse(at, joint, lines);
                continue;
            };
            let Some(name) = self.scope.coordinate((at, number)).map(str::to_owned) else {
                continue;
            };
            let mut sum = String::new();
            if joint.driven {
                let letter = if turns { "tau" } else { "F" };
                let input = self.scope.names.own(&format!("{letter}_{name}"));
                lines.insert(after_coordinate(lines, &name), format!("input {input}"));
                phrase::term(&mut sum, false, &input);
            }
            if !joint.damping.is_zero() {
                let text = format!("{}*{name}'", joint.damping.abs().text());
                phrase::term(&mut sum, !joint.damping.is_negative(), &text);
            }
            if !joint.friction.is_zero() {
                let size = joint.friction.abs().text();
                let text = format!("{size}*tanh({name}'/{})", self.scope.slip());
                phrase::term(&mut sum, !joint.friction.is_negative(), &text);
            }
            if !sum.is_empty() {
                let word = if turns { "torque" } else { "force" };
                lines.push(format!("{word} on {name}: {sum}"));
            }
            if !joint.stiffness.is_zero() {
                let spring = self.scope.names.own(&format!("{name}_spring"));
                let rest = if joint.rest.is_zero() {
                    String::new()
                } else {
                    format!(", rest {}", joint.said(&joint.rest))
                };
                let stiffness = joint.stiffness.text();
                lines.push(format!(
                    "spring {spring}: on {name}, stiffness {stiffness}{rest}"
                ));
            }
            if !joint.rotor.is_zero() {
                let rotor = self.scope.names.own(&format!("{name}_rotor"));
                let inertia = joint.rotor.text();
                lines.push(format!(
                    "body {rotor}: frame rotate(N, {name}, N.z), mass 0, center O, inertia [0, 0, {inertia}]"
                ));
            }
        }
    }

    /// Damping of a ball joint.
    fn coarse(&mut self, at: usize, joint: &Joint, lines: &mut Vec<String>) {
        if joint.damping.is_zero() || joint.motion != Motion::Ball {
            return;
        }
        let frame = self.scope.frame(at);
        let base = self.robot.links[at]
            .parent
            .map_or_else(|| "N".to_owned(), |p| self.scope.frame(p));
        let damping = joint.damping.text();
        lines.push(format!(
            "torque on {frame}, opposite on {base}: -{damping}*(angvel({frame}) - angvel({base}))"
        ));
    }

    fn shapes(&mut self, at: usize, lines: &mut Vec<String>) {
        let link = &self.robot.links[at];
        let (frame, point) = (self.scope.frame(at), self.scope.point(at));
        for shape in &link.shapes {
            let name = self.scope.names.own(&format!("{}_shape", link.name));
            lines.push(drawing(&name, shape, &frame, &point));
        }
    }

    fn marks(&mut self, at: usize, lines: &mut Vec<String>) {
        let link = &self.robot.links[at];
        let (frame, point) = (self.scope.frame(at), self.scope.point(at));
        for mark in &link.marks {
            let name = self.scope.names.given(&mark.name);
            lines.push(format!(
                "point {name} = {}",
                phrase::place(&point, &mark.at, &frame)
            ));
        }
    }
}

/// `free_px`, or `px` where the joint has no name.
fn prefixed(joint: &Joint, end: &str) -> String {
    if joint.name.is_empty() {
        end.to_owned()
    } else {
        format!("{}_{end}", joint.name)
    }
}

/// The line after the declaration of a coordinate.
fn after_coordinate(lines: &[String], name: &str) -> usize {
    let begins = format!("coord {name}");
    let found = lines.iter().position(|line| {
        line.strip_prefix(&begins)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    });
    found.map_or(lines.len(), |at| at + 1)
}

fn has_inertia(mass: &Mass) -> bool {
    mass.inertia.iter().any(|entry| !entry.is_zero())
}

fn has_anchor(link: &Link) -> bool {
    link.joints.iter().any(|joint| !is_zero(&joint.anchor))
}

/// Whether a joint is held where it moves nothing.
fn is_idle(joint: &Joint) -> bool {
    match &joint.motion {
        Motion::Locked(_, Held::Angle(angle)) => angle.is_zero(),
        Motion::Locked(_, Held::Distance(value)) => value.is_zero(),
        _ => false,
    }
}

/// A joint that is held at a value, in a frame with a name.
fn locked(motion: &Motion, held: &Held, pose: &mut Pose) {
    match (motion, held) {
        (Motion::Hinge(axis), Held::Angle(angle)) => {
            let axis = phrase::direction(axis, &pose.frame);
            pose.turned = Some(phrase::rotate(&pose.frame, &angle.text(), &axis));
        }
        (Motion::Slide(axis), Held::Distance(value)) => {
            pose.added += &phrase::along_axis(&value.text(), axis, &pose.frame);
        }
        _ => {}
    }
}

/// The axis about which a link is turned and then turns, with the constant angle.
fn shared_axis<'t>(turn: &'t Turn, axis: &Triple) -> Option<(Axis, &'t Angle)> {
    let Turn::Body(steps) = turn else { return None };
    let [(first, angle)] = &steps[..] else {
        return None;
    };
    let (second, negative) = along(axis)?;
    (*first == second && !negative).then_some((second, angle))
}

/// The angle and the axis of a hinge.
fn hinge(link: &Link, joint: &Joint, name: &str, axis: &Triple, frame: &str) -> (String, String) {
    let single = link.joints.len() == 1 && !has_anchor(link);
    let mut angle = match shared_axis(&link.turn, axis) {
        Some((_, own)) if single => phrase::shifted(name, own),
        _ => name.to_owned(),
    };
    if !joint.reference.is_zero() {
        let sign = if joint.reference.is_negative() {
            "+"
        } else {
            "-"
        };
        angle += &format!(" {sign} {}", joint.said(&joint.reference.abs()));
    }
    (angle, phrase::direction(axis, frame))
}

/// What the file says of a joint's limits, as documentation.
fn told(joint: &Joint) -> String {
    let turns = joint.turns() == Some(true);
    let mut parts = Vec::new();
    if let (Some(low), Some(high)) = &joint.range {
        let shown = |value: &Decimal| {
            let value = joint.plain(value).to_double();
            let degrees = if turns { value.to_degrees() } else { value };
            Decimal::of_double(degrees).rounded(4).text()
        };
        let unit = if turns { " deg" } else { "" };
        parts.push(format!("{} to {}{unit}", shown(low), shown(high)));
    }
    let (force, rate) = if turns {
        ("N*m", "rad/s")
    } else {
        ("N", "m/s")
    };
    let mut most = Vec::new();
    if let Some(effort) = joint.effort.as_ref().filter(|effort| !effort.is_zero()) {
        most.push(format!("{} {force}", effort.text()));
    }
    if let Some(velocity) = joint
        .velocity
        .as_ref()
        .filter(|velocity| !velocity.is_zero())
    {
        most.push(format!("{} {rate}", velocity.text()));
    }
    if !most.is_empty() {
        parts.push(format!("at most {}", most.join(" and ")));
    }
    if parts.is_empty() {
        String::new()
    } else {
        format!("  /// {}", parts.join(", "))
    }
}

/// A body, in one line or several.
fn body_lines(name: &str, frame: &str, own: &str, point: &str, mass: &Mass) -> Vec<String> {
    let center = phrase::place(point, &mass.centre, own);
    let entries = if mass.inertia[3..].iter().all(Decimal::is_zero) {
        &mass.inertia[..3]
    } else {
        &mass.inertia[..]
    };
    let entries: Vec<String> = entries.iter().map(Decimal::text).collect();
    let axes = match &mass.turn {
        Turn::None => String::new(),
        turn => format!(" in {}", phrase::turned(turn, own)),
    };
    let head = format!("body {name}: frame {frame}, mass {}", mass.mass.text());
    let inertia = format!("inertia [{}]{axes}", entries.join(", "));
    let line = format!("{head}, center {center}, {inertia}");
    if line.len() <= WIDEST {
        return vec![line];
    }
    if head.len() + center.len() + 9 <= WIDEST {
        return vec![
            format!("{head}, center {center},"),
            format!("    {inertia}"),
        ];
    }
    if head.len() > WIDEST {
        return vec![
            format!("body {name}: frame {frame},"),
            format!("    mass {}, center {center},", mass.mass.text()),
            format!("    {inertia}"),
        ];
    }
    vec![
        format!("{head},"),
        format!("    center {center},"),
        format!("    {inertia}"),
    ]
}

fn drawing(name: &str, shape: &Shape, frame: &str, point: &str) -> String {
    let at = phrase::place(point, &shape.at, frame);
    let colour = shape
        .colour
        .map_or_else(String::new, |c| format!(", color {c}"));
    match &shape.form {
        Form::Box(sides) => {
            let sides: Vec<String> = sides.iter().map(Decimal::text).collect();
            let axes = phrase::turned(&shape.turn, frame);
            format!(
                "drawing {name}: box [{}] at {at} in {axes}{colour}",
                sides.join(", ")
            )
        }
        Form::Cylinder(radius, height) => {
            let matrix = shape.turn.matrix();
            let axis: Triple = std::array::from_fn(|i| short(matrix[i][2]));
            let axis = phrase::direction(&axis, frame);
            let (radius, height) = (radius.text(), height.text());
            format!("drawing {name}: cylinder [{radius}, {height}] at {at} along {axis}{colour}")
        }
        Form::Sphere(radius) => {
            format!("drawing {name}: sphere [{}] at {at}{colour}", radius.text())
        }
    }
}

/// A component of a direction that is drawn.
fn short(value: f64) -> Decimal {
    let rounded = (value * 1e6).round() / 1e6;
    Decimal::of_double(rounded)
}
