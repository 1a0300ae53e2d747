//! Joints: how one link hangs on another.

use super::Draw;
use crate::random::expr::{Expr, axis, call, name, number, whole};
use crate::random::machine::{Statement, Turn};

/// What a joint leaves behind: the frame of the link, and the joint's point.
pub struct Link {
    pub frame: String,
    pub root: String,
}

impl Draw {
    /// A link on one of the ends, by any joint; with its mass and its own end.
    pub fn link(&mut self) {
        let (from, base) = {
            let ends = self.ends.clone();
            self.dice.one(&ends).clone()
        };
        let link = self.joint(&from, &base);
        self.furnish(&link);
    }

    /// Mass and end of a link.
    pub fn furnish(&mut self, link: &Link) {
        let Link { frame, root } = link;
        let rigid = self.dice.chance(0.65);
        let mut place = name(root);
        let length = self.length();
        let along = self.direction(frame);
        place = place + length.clone() * along.clone();
        if self.dice.chance(0.3) {
            let d = self.offset();
            let across = self.direction(frame);
            place = place + d * across;
        }
        let end = self.point("E", place);
        let center = if rigid && self.dice.chance(0.5) {
            let middle = name(root) + length / whole(2) * along;
            self.point("G", middle)
        } else {
            end.clone()
        };
        let body = self.body_at(&center, frame, rigid);
        if rigid && self.dice.chance(0.2) {
            self.move_inertia(&body, root);
        }
        self.ends.push((end, frame.clone()));
        self.frames.push(frame.clone());
    }

    /// States the inertia about the joint in place of the centre, large enough to be that of a body.
    fn move_inertia(&mut self, body: &str, root: &str) {
        self.note("inertia about a point");
        let value = self.dice.decimal(20.0, 30.0);
        let more = self.param("J", value, "kg*m^2", Some(">"));
        let statements = &mut self.machine.statements;
        let Some(declared) = statements.pop() else {
            return;
        };
        let at = |s: &Statement| matches!(s, Statement::Body { name, .. } if name == body);
        let place = statements.iter().position(at).unwrap_or(0);
        if let Some(Statement::Body { about, inertia, .. }) = statements.get_mut(place) {
            *about = Some(root.to_owned());
            for moment in inertia.iter_mut().take(3) {
                *moment = moment.clone() + more.clone();
            }
        }
        statements.insert(place, declared);
    }

    /// Any joint.
    pub fn joint(&mut self, from: &str, base: &str) -> Link {
        if self.planar {
            return self.planar_joint(from, base);
        }
        match self.dice.below(13) {
            0..=2 => self.revolute(from, base),
            3 => self.prismatic(from, base),
            4 => self.cylindrical(from, base),
            5 => self.screw(from, base),
            6 => self.universal(from, base),
            7 => self.oblique(from, base),
            8 => self.free(from, base),
            9 => self.matrix(from, base),
            _ => self.ball(from, base),
        }
    }

    fn planar_joint(&mut self, from: &str, base: &str) -> Link {
        match self.dice.below(6) {
            0..=2 => {
                let q = self.coord("q", false);
                self.note("revolute");
                self.turn(from, base, Turn::About(name(&q), axis(base, 'z')))
            }
            3 => {
                // Angles from N.
                let q = self.coord("q", false);
                self.note("absolute angle");
                self.turn(from, "N", Turn::About(name(&q), axis("N", 'z')))
            }
            4 => self.prismatic(from, base),
            _ => {
                self.note("planar joint");
                let (x, y) = (self.coord("x", true), self.coord("y", true));
                let q = self.coord("q", false);
                let place = name(from) + name(&x) * axis(base, 'x') + name(&y) * axis(base, 'y');
                let root = self.point("P", place);
                self.turn(&root, base, Turn::About(name(&q), axis(base, 'z')))
            }
        }
    }

    fn turn(&mut self, root: &str, parent: &str, turn: Turn) -> Link {
        let frame = self.next("B");
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: parent.to_owned(),
            turn,
        });
        Link {
            frame,
            root: root.to_owned(),
        }
    }

    fn revolute(&mut self, from: &str, base: &str) -> Link {
        self.note("revolute");
        let q = self.coord("q", false);
        let base = if self.dice.chance(0.25) {
            self.rigid_frame(base)
        } else {
            base.to_owned()
        };
        let mut angle = name(&q);
        if self.dice.chance(0.15) {
            angle = angle + self.angle();
        }
        let about = self.direction(&base);
        self.turn(from, &base, Turn::About(angle, about))
    }

    fn prismatic(&mut self, from: &str, base: &str) -> Link {
        self.note("prismatic");
        let s = self.coord("s", true);
        let along = self.direction(base);
        let root = self.point("P", name(from) + name(&s) * along);
        let frame = if self.dice.chance(0.3) {
            self.rigid_frame(base)
        } else {
            base.to_owned()
        };
        Link { frame, root }
    }

    fn cylindrical(&mut self, from: &str, base: &str) -> Link {
        self.note("cylindrical");
        let (q, s) = (self.coord("q", false), self.coord("s", true));
        let along = self.direction(base);
        let root = self.point("P", name(from) + name(&s) * along.clone());
        self.turn(&root, base, Turn::About(name(&q), along))
    }

    fn screw(&mut self, from: &str, base: &str) -> Link {
        self.note("screw");
        let q = self.coord("q", false);
        let along = self.direction(base);
        let pitch = self.offset();
        let advance = pitch * name(&q) / (whole(2) * name("pi"));
        let root = self.point("P", name(from) + advance * along.clone());
        self.turn(&root, base, Turn::About(name(&q), along))
    }

    fn universal(&mut self, from: &str, base: &str) -> Link {
        self.note("universal");
        let letters = *self.dice.one(&["xy", "yx", "zx", "yz", "xz", "zy"]);
        let angles = [self.coord("q", false), self.coord("q", false)];
        let angles = angles.map(|q| name(&q)).to_vec();
        let turn = if self.dice.chance(0.7) {
            Turn::Body(letters.to_owned(), angles)
        } else {
            Turn::Space(letters.to_owned(), angles)
        };
        self.turn(from, base, turn)
    }

    fn oblique(&mut self, from: &str, base: &str) -> Link {
        self.note("oblique axis");
        let q = self.coord("q", false);
        let factors: [i64; 3] =
            *self
                .dice
                .one(&[[1, 1, 0], [1, 2, 2], [3, 0, -4], [1, 1, 1], [2, -1, 3]]);
        let letters = ['x', 'y', 'z'];
        let mut terms = Vec::new();
        for (factor, letter) in factors.into_iter().zip(letters) {
            match factor {
                0 => {}
                1 => terms.push(axis(base, letter)),
                _ => terms.push((whole(factor.abs()) * axis(base, letter)).signed(factor < 0)),
            }
        }
        let about = crate::random::expr::sum(terms);
        self.turn(from, base, Turn::About(name(&q), about))
    }

    fn matrix(&mut self, from: &str, base: &str) -> Link {
        self.note("direction cosines");
        let q = self.coord("q", false);
        let (s, c) = (call("sin", [name(&q)]), call("cos", [name(&q)]));
        let (zero, one) = (number("0"), number("1"));
        let rows = match self.dice.below(2) {
            0 => [
                [c.clone(), -s.clone(), zero.clone()],
                [s, c, zero.clone()],
                [zero.clone(), zero, one],
            ],
            _ => [
                [one, zero.clone(), zero.clone()],
                [zero.clone(), c.clone(), -s.clone()],
                [zero, s, c],
            ],
        };
        self.turn(from, base, Turn::Matrix(Box::new(rows)))
    }

    /// Three coordinates of place, then a ball joint.
    pub fn free(&mut self, from: &str, base: &str) -> Link {
        self.note("free");
        let names = [
            self.coord("x", true),
            self.coord("y", true),
            self.coord("z", true),
        ];
        let mut place = name(from);
        for (q, letter) in names.iter().zip(['x', 'y', 'z']) {
            place = place + name(q) * axis(base, letter);
        }
        let root = self.point("P", place);
        let speeds_in = base.to_owned();
        let velocity = |letter| dot_of(call("vel", [name(&root)]), axis(&speeds_in, letter));
        if base == "N" {
            let set = ['x', 'y', 'z'].map(velocity).to_vec();
            self.speed_sets.push((names.to_vec(), set));
        }
        self.ball(&root, base)
    }

    /// Any orientation, by any of its parametrizations.
    pub fn ball(&mut self, from: &str, base: &str) -> Link {
        let kind = self.dice.below(6);
        let three: [String; 3] = [0, 1, 2].map(|_| match kind {
            4 => String::new(),
            _ => self.coord("r", false),
        });
        self.bound.extend(three.iter().cloned());
        let exprs = three.clone().map(|q| name(&q));
        let turn = match kind {
            0 | 1 => {
                let letters = *self.dice.one(&[
                    "xyz", "zxz", "zyx", "yxy", "xzx", "zxy", "yzx", "xyx", "yxz",
                ]);
                self.note(if kind == 0 {
                    "body angles"
                } else {
                    "space angles"
                });
                if kind == 0 {
                    Turn::Body(letters.to_owned(), exprs.to_vec())
                } else {
                    Turn::Space(letters.to_owned(), exprs.to_vec())
                }
            }
            2 => {
                self.note("Rodrigues parameters");
                Turn::Rodrigues(exprs)
            }
            3 => {
                self.note("modified Rodrigues parameters");
                Turn::Modified(exprs)
            }
            4 => {
                self.note("quaternion");
                let four = [0, 1, 2, 3].map(|_| self.coord("e", false));
                self.held += 1;
                self.bound.extend(four.iter().cloned());
                let link = self.turn(from, base, Turn::Quaternion(four.clone()));
                let set = self.spin_speeds(&link.frame, base);
                self.speed_sets.push((four.to_vec(), set));
                return link;
            }
            _ => {
                // A series of turns in place of one statement.
                self.note("series of turns");
                let first = self.turn(from, base, Turn::About(exprs[0].clone(), axis(base, 'z')));
                let about = axis(&first.frame, 'x');
                let next = self.turn(from, &first.frame, Turn::About(exprs[1].clone(), about));
                Turn::About(exprs[2].clone(), axis(&next.frame, 'y'))
            }
        };
        let (turn, parent) = match turn {
            Turn::About(angle, Expr::Axis(parent, letter)) => {
                (Turn::About(angle, axis(&parent, letter)), parent)
            }
            other => (other, base.to_owned()),
        };
        let link = self.turn(from, &parent, turn);
        let set = self.spin_speeds(&link.frame, base);
        self.speed_sets.push((three.to_vec(), set));
        link
    }

    fn spin_speeds(&mut self, frame: &str, base: &str) -> Vec<Expr> {
        let spin = if base == "N" || self.dice.chance(0.5) {
            call("angvel", [name(frame)])
        } else {
            call("angvel", [name(frame), name(base)])
        };
        let within = if self.dice.chance(0.7) { frame } else { base };
        let within = within.to_owned();
        ['x', 'y', 'z']
            .map(|letter| dot_of(spin.clone(), axis(&within, letter)))
            .to_vec()
    }
}

/// `dot(a, b)`
pub fn dot_of(a: Expr, b: Expr) -> Expr {
    call("dot", [a, b])
}
