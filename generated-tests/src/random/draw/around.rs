//! What stands around a skeleton: loads, speeds, further rows, reactions, outputs.

use super::Draw;
use super::joints::dot_of;
use crate::random::expr::{Condition, Expr, axis, call, name, number, power, rate, whole};
use crate::random::machine::{Load, Place, Reaction, Statement};

impl Draw {
    /// Loads, speeds, rows, reactions and outputs.
    pub fn surroundings(&mut self) {
        if !self.bare && self.dice.chance(0.7) {
            let g = self.scalar("g", "m/s^2");
            let down = if self.planar { 'y' } else { 'z' };
            self.push(Statement::Gravity(-g * axis("N", down)));
        }
        for _ in 0..self.dice.below(4) {
            self.load();
        }
        if self.dice.chance(0.2) {
            self.further_row();
        }
        if self.dice.chance(0.45) {
            self.speeds();
        }
        if !self.bare && self.dice.chance(0.2) {
            self.reactions();
        }
        for _ in 0..self.dice.below(4) {
            self.output();
        }
    }

    fn some_end(&mut self) -> (String, String) {
        let ends = self.ends[1.min(self.ends.len() - 1)..].to_vec();
        self.dice.one(&ends).clone()
    }

    fn some_coordinate(&mut self) -> (String, bool) {
        let list = self.coordinates.clone();
        self.dice.one(&list).clone()
    }

    fn free_coordinate(&mut self) -> Option<(String, bool)> {
        let bound = self.bound.clone();
        let mut list = self.coordinates.clone();
        list.retain(|(q, _)| !bound.contains(q));
        (!list.is_empty()).then(|| self.dice.one(&list).clone())
    }

    fn input(&mut self, unit: &str) -> Expr {
        let f = self.next("u");
        self.push(Statement::Input {
            name: f.clone(),
            unit: unit.into(),
        });
        self.note("input");
        name(&f)
    }

    fn force(&mut self, on: &str, opposite: Option<String>, value: Expr) {
        self.push(Statement::Load {
            kind: Load::Force,
            nonideal: false,
            on: on.into(),
            opposite,
            value,
        });
    }

    fn load(&mut self) {
        if self.bare {
            return self.generalized();
        }
        let has_end = self.ends.len() > 1;
        match self.dice.below(10) {
            0 if has_end => {
                let (p, frame) = self.some_end();
                let f = self.input("N");
                let along = self.direction(&frame);
                self.force(&p, None, f * along);
            }
            1 if has_end => {
                self.note("drag");
                let (p, _) = self.some_end();
                let c = self.scalar("c", "N*s/m");
                self.force(&p, None, -c * call("vel", [name(&p)]));
            }
            2 if has_end => {
                self.note("spring between points");
                let (p, _) = self.some_end();
                let far = self.far_point();
                let k = self.scalar("k", "N/m");
                let mut properties = vec![("stiffness", k)];
                if self.dice.chance(0.6) {
                    let l = self.length();
                    properties.push(("length", l));
                }
                if self.dice.chance(0.4) {
                    let c = self.scalar("c", "N*s/m");
                    properties.push(("damping", c));
                }
                let spring = self.next("spring");
                self.push(Statement::Spring {
                    keyword: "spring",
                    name: spring,
                    place: Place::Between(far, p),
                    properties,
                });
            }
            3 => self.generalized(),
            8 if has_end && !self.bodies.is_empty() => {
                self.note("force on a body at a point");
                let bodies = self.bodies.clone();
                let (body, _) = self.dice.one(&bodies).clone();
                let (p, _) = self.some_end();
                let c = self.scalar("c", "N*s/m");
                let slip = call("vel_at", [name(&body), name(&p)]);
                self.push(Statement::Load {
                    kind: Load::ForceAt(p),
                    nonideal: false,
                    on: body,
                    opposite: None,
                    value: -c * slip,
                });
            }
            4 if !self.bodies.is_empty() => {
                self.note("torque");
                let bodies = self.bodies.clone();
                let (body, frame) = self.dice.one(&bodies).clone();
                let torque = self.input("N*m");
                let letter = if self.planar {
                    'z'
                } else {
                    *self.dice.one(&['x', 'y', 'z'])
                };
                let opposite = (bodies.len() > 1 && self.dice.chance(0.5))
                    .then(|| bodies[0].0.clone())
                    .filter(|b| *b != body);
                self.push(Statement::Load {
                    kind: Load::Torque,
                    nonideal: false,
                    on: body,
                    opposite,
                    value: torque * axis(&frame, letter),
                });
            }
            5 => {
                self.note("user function");
                let (q, is_length) = self.some_coordinate();
                let f = self.next("fun");
                let terms = vec![(0.5, vec![1, 0]), (-0.7, vec![3, 0]), (0.3, vec![1, 1])];
                let unit = if is_length { "N" } else { "N*m" };
                self.push(Statement::Function {
                    name: f.clone(),
                    arguments: vec![q.clone(), "t".into()],
                    terms,
                    unit: unit.into(),
                });
                self.generalized_on(&q, name(&f));
            }
            6 => {
                self.note("potential");
                let (q, is_length) = self.some_coordinate();
                let k = self.scalar("k", if is_length { "N/m" } else { "N*m" });
                let v = self.next("V");
                let value = if self.dice.chance(0.5) || is_length {
                    k * power(name(&q), "2") / whole(2)
                } else {
                    k * (whole(1) - call("cos", [name(&q)]))
                };
                self.push(Statement::Energy {
                    keyword: "potential",
                    name: v,
                    value,
                });
            }
            7 => {
                self.note("damper or spring on a coordinate");
                let (q, is_length) = self.some_coordinate();
                let c = self.scalar("c", if is_length { "N*s/m" } else { "N*m*s/rad" });
                let d = self.next("damper");
                let mut properties = vec![("damping", c)];
                let spring = self.dice.chance(0.5);
                if spring {
                    let k = self.scalar("k", if is_length { "N/m" } else { "N*m/rad" });
                    properties.insert(0, ("stiffness", k));
                }
                self.push(Statement::Spring {
                    keyword: if spring { "spring" } else { "damper" },
                    name: d,
                    place: Place::On(name(&q)),
                    properties,
                });
            }
            _ if has_end => {
                self.note("pair of forces");
                let (p, _) = self.some_end();
                let far = self.far_point();
                let k = self.scalar("k", "N/m");
                let value = -(k * (name(&p) - name(&far)));
                self.force(&p, Some(far), value);
            }
            _ => self.generalized(),
        }
    }

    /// A point that lies apart from the others.
    fn far_point(&mut self) -> String {
        let a = self.param("a", "2.3".into(), "m", None);
        let b = self.param("a", "-1.7".into(), "m", None);
        self.point("Z", name("O") + a * axis("N", 'x') + b * axis("N", 'y'))
    }

    fn generalized_on(&mut self, q: &str, value: Expr) {
        self.push(Statement::Load {
            kind: Load::Generalized,
            nonideal: false,
            on: q.into(),
            opposite: None,
            value,
        });
    }

    fn generalized(&mut self) {
        self.note("generalized force");
        let (q, is_length) = self.some_coordinate();
        let unit = if is_length { "N*s/m" } else { "N*m*s/rad" };
        let c = self.scalar("c", unit);
        let v = rate(name(&q));
        let damping = match self.dice.below(4) {
            0 => {
                self.note("choice");
                Expr::Choice(
                    Box::new(Condition::Compare(name(&q), "<", number("0"))),
                    Box::new(-(c.clone() * v.clone())),
                    Box::new(number("0")),
                )
            }
            1 => {
                self.note("abs and sign");
                -(c * v.clone() * call("step", [v]))
            }
            _ => -(c * v),
        };
        self.generalized_on(&q, damping);
    }

    /// A row beside those of the skeleton: driven, or dependent on another.
    fn further_row(&mut self) {
        if self.held + 1 >= self.coordinates.len() {
            return;
        }
        if let Some(first) = self.rows.first().cloned()
            && self.dice.chance(0.5)
        {
            self.note("dependent row");
            let again = self.machine.statements.iter().find_map(|s| match s {
                Statement::Constraint {
                    name, left, right, ..
                } if *name == first => Some((left.clone(), right.clone())),
                _ => None,
            });
            let frictional = self.machine.features.contains(&"friction by a reaction");
            if let Some((left, right)) = again
                && !frictional
            {
                let twice = whole(2) * (left - right);
                self.row("again", twice, number("0"));
            }
            return;
        }
        // Privileged velocities are as many as the freedoms that there were.
        if self.machine.features.contains(&"privileged") {
            return;
        }
        let Some((q, is_length)) = self.free_coordinate() else {
            return;
        };
        self.note("driven coordinate");
        let unit = if is_length { "m/s" } else { "rad/s" };
        let w = self.scalar("w", unit);
        if self.dice.chance(0.5) {
            self.row("motor", name(&q), w * name("t"));
        } else {
            let pulse = self.scalar("f", "rad/s");
            let wave = call("cos", [pulse * name("t")]);
            self.row("motor", rate(name(&q)), w * wave);
        }
    }

    fn speeds(&mut self) {
        // A privileged velocity is one of the speeds; these here would replace it.
        if self.machine.features.contains(&"privileged") {
            return;
        }
        self.note("declared speeds");
        let mut used = Vec::new();
        for (names, set) in self.speed_sets.clone() {
            if self.dice.chance(0.6) {
                used.extend(names);
                for value in set {
                    let u = self.next("u");
                    self.push(Statement::Speed { name: u, value });
                }
            }
        }
        let rest: Vec<_> = self
            .coordinates
            .iter()
            .filter(|(q, _)| !used.contains(q) && !self.bound.contains(q))
            .cloned()
            .collect();
        let rest = self.dice.shuffled(&rest);
        let mut before: Vec<(String, bool)> = Vec::new();
        for (q, is_length) in rest {
            if self.dice.chance(0.3) {
                continue;
            }
            let mut value = rate(name(&q));
            if let Some((other, _)) = before.iter().find(|(_, l)| *l == is_length)
                && self.dice.chance(0.4)
            {
                value = value + call("sin", [name(&self.angle_like())]) * rate(name(other));
            }
            if self.dice.chance(0.2) {
                value = whole(2) * value;
            }
            let u = self.next("u");
            self.push(Statement::Speed { name: u, value });
            before.push((q, is_length));
        }
    }

    /// The rate of a distance, by way of a name.
    fn rate_of_a_distance(&mut self, p: &str) -> Expr {
        let far = self.far_point();
        let l = self.next("let");
        self.push(Statement::Let {
            name: l.clone(),
            value: call("distance", [name(&far), name(p)]),
        });
        rate(name(&l))
    }

    /// A choice by conditions of every kind.
    fn choice_of(&mut self, pure: Expr) -> Expr {
        let compare = |relation, value| Condition::Compare(pure.clone(), relation, number(value));
        let boxed = Box::new;
        let condition = match self.dice.below(3) {
            0 => Condition::And(
                boxed(compare(">", "0.1")),
                boxed(Condition::Not(boxed(compare(">=", "0.6")))),
            ),
            1 => Condition::Or(boxed(compare("<=", "0.3")), boxed(compare(">", "0.7"))),
            _ => Condition::Not(boxed(compare("<", "0.2"))),
        };
        Expr::Choice(
            boxed(condition),
            Box::new(pure.clone()),
            Box::new(power(pure, "3")),
        )
    }

    /// An angle to take sines of; time's multiples are angles too.
    fn angle_like(&mut self) -> String {
        let angles: Vec<_> = self.coordinates.iter().filter(|(_, l)| !l).collect();
        match angles.first() {
            Some((q, _)) => q.clone(),
            None => {
                let p = self.next("ang");
                self.push(Statement::Param {
                    name: p.clone(),
                    value: "0.4".into(),
                    unit: "rad".into(),
                    sign: None,
                });
                p
            }
        }
    }

    fn reactions(&mut self) {
        let (end, frame) = self.some_end();
        if end == "O" {
            return;
        }
        self.note("declared reaction");
        let r = self.next("R");
        let along = self.direction(&frame);
        let what = if self.dice.chance(0.6) || frame == "N" {
            Reaction::Definition(end, along)
        } else {
            let letter = if self.planar {
                'z'
            } else {
                *self.dice.one(&['x', 'y', 'z'])
            };
            Reaction::Definition(frame.clone(), axis(&frame, letter))
        };
        self.push(Statement::Reaction {
            name: r.clone(),
            what,
        });
        if self.dice.chance(0.3) {
            let o = self.next("o");
            self.push(Statement::Output {
                name: o,
                value: whole(2) * name(&r),
            });
        }
    }

    fn output(&mut self) {
        let (p, frame) = self.some_end();
        let (q, is_length) = self.some_coordinate();
        let masses = self.masses.clone();
        let bodies = self.bodies.clone();
        let frames = self.frames.clone();
        let other = self.dice.one(&frames).clone();
        fn n(text: impl AsRef<str>) -> Expr {
            name(text.as_ref())
        }
        let angle = if is_length { n("t") } else { n(&q) };
        let pure = if is_length || self.machine.units {
            // Dimensionless by any account.
            call("sin", [n(self.angle_like())])
        } else {
            call("sin", [angle])
        };
        let value = match self.dice.below(36) {
            0 => call("vel", [n(&p)]),
            1 => call("acc", [n(&p)]),
            2 => call("vel", [n(&p), n(&other)]),
            3 => call("acc", [n(&p), n(&other)]),
            4 => call("angvel", [n(&frame)]),
            5 => call("angacc", [n(&frame), n(&other)]),
            6 => call("dt", [n(&p) - n("O"), n(&other)]),
            7 if !masses.is_empty() => call("kinetic", [n(self.dice.one(&masses))]),
            8 if !masses.is_empty() => call("momentum", [n(self.dice.one(&masses))]),
            9 if !masses.is_empty() => call("angmom", [n(self.dice.one(&masses)), n("O")]),
            10 if !bodies.is_empty() => call("angmom", [n(&self.dice.one(&bodies).0)]),
            11 if !masses.is_empty() => {
                let members: Vec<_> = masses.iter().map(n).collect();
                call("dot", [call("com", members) - n("O"), axis("N", 'x')])
            }
            12 if !bodies.is_empty() => {
                let body = self.dice.one(&bodies).0.clone();
                call("vel_at", [n(&body), n(&p)])
            }
            13 if !bodies.is_empty() => {
                let body = self.dice.one(&bodies).0.clone();
                call("acc_at", [n(&body), n(&p)])
            }
            14 if !self.rows.is_empty() => {
                self.note("reaction in an output");
                let rows = self.rows.clone();
                call("reaction", [n(self.dice.one(&rows))])
            }
            15 => call("atan2", [pure.clone(), whole(2) + pure]),
            16 => call("asin", [pure / whole(2)]),
            17 => call("exp", [pure]) + call("cosh", [number("0.3")]),
            18 => call("ln", [whole(2) + pure]),
            19 => call("max", [pure.clone(), number("0.1"), -pure]),
            20 => call("clamp", [pure, -number("0.5"), number("0.5")]),
            21 => {
                call("atan", [pure.clone()]) + call("tanh", [pure.clone()]) - call("sinh", [pure])
            }
            22 => call("hypot", [pure.clone(), whole(1)]) + call("sqrt", [whole(2) - pure]),
            23 => call("acos", [pure / whole(3)]) * call("abs", [number("0.4")]),
            24 => rate(rate(n(&q))) * whole(3),
            25 if !self.held_at.is_empty() => {
                self.note("reaction at a point");
                let held = self.held_at.clone();
                let (row, point) = self.dice.one(&held).clone();
                call("reaction", [n(&row), n(&point)])
            }
            26 if masses.len() > 1 => call("mass", masses.iter().take(2).map(n)),
            27 if p != "O" => {
                let far = self.far_point();
                call("unit", [n(&p) - n(far)])
            }
            28 if p != "O" => self.rate_of_a_distance(&p),
            29 => call("asinh", [pure.clone()]) + call("acosh", [whole(2) + pure]),
            30 => call("atanh", [pure.clone() / whole(2)]) + call("tan", [pure / whole(3)]),
            31 => call("sign", [pure.clone()]) * call("min", [pure, number("0.2")]),
            32 => self.choice_of(pure),
            33 => call("mag", [call("vel", [n(&p), n(&other), n("O")])]),
            34 => call("acc", [n(&p), n(&other), n("O")]),
            35 => power(call("cos", [pure]), "2") * power(number("0.5"), "1.5"),
            _ => dot_of(
                call("cross", [n(&p) - n("O"), axis(&frame, 'x')]),
                axis(&other, 'z'),
            ),
        };
        let o = self.next("o");
        if self.dice.chance(0.15) {
            let l = self.next("let");
            self.push(Statement::Let {
                name: l.clone(),
                value,
            });
            self.push(Statement::Output {
                name: o,
                value: name(&l),
            });
            return;
        }
        self.push(Statement::Output { name: o, value });
    }
}
