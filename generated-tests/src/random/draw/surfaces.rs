//! Contact of curved surfaces: balls on and in balls, ellipsoids on planes, particles on tori, ellipsoids and surfaces that the caller supplies.

use super::Draw;
use super::joints::dot_of;
use crate::random::expr::{Expr, axis, call, name, number, power, sum, whole};
use crate::random::machine::Statement;

const LETTERS: [char; 3] = ['x', 'y', 'z'];

impl Draw {
    /// One of the kinds of contact.
    pub fn curved(&mut self) {
        self.note("curved surfaces");
        match self.dice.below(5) {
            0 | 1 => self.ball_on_ball(),
            2 => self.ellipsoid_rolls(),
            _ => self.particle_on_surface(),
        }
    }

    /// A point of three coordinates.
    fn anywhere(&mut self) -> ([String; 3], String) {
        let names = ["x", "y", "z"].map(|letter| self.coord(letter, true));
        let mut place = name("O");
        for (q, letter) in names.iter().zip(LETTERS) {
            place = place + name(q) * axis("N", letter);
        }
        let center = self.point("C", place);
        (names, center)
    }

    fn rolls(&mut self, left: Expr, right: Expr, within: Option<String>) {
        let name = self.next("roll");
        self.held += 3;
        self.push(Statement::Constraint {
            name,
            left,
            right,
            vector: true,
            within,
        });
    }

    /// A ball rolls on a ball, or in one, that rests, turns as it is told or turns freely.
    fn ball_on_ball(&mut self) {
        let inside = self.dice.chance(0.4);
        self.note(if inside {
            "ball in a ball"
        } else {
            "ball on a ball"
        });
        let r = self.length_of("0.3");
        let large = self.length_of("1");
        let (_, center) = self.anywhere();
        let (carrier, middle) = match self.dice.below(3) {
            0 => ("N".to_owned(), "O".to_owned()),
            1 => (self.turntable(), "O".to_owned()),
            _ => {
                let link = self.ball("O", "N");
                let body = self.body_at("O", &link.frame, true);
                (body, "O".to_owned())
            }
        };
        let link = self.ball(&center, "N");
        let ball = self.body_at(&center, &link.frame, true);
        self.ends.push((center.clone(), link.frame.clone()));
        self.frames.push(link.frame.clone());
        let apart = name(&center) - name(&middle);
        let (up, distance) = if inside {
            (-apart.clone(), large - r.clone())
        } else {
            (apart.clone(), large + r.clone())
        };
        let normal = call("unit", [up]);
        let contact = call("contact_sphere", [name(&center), r, normal]);
        let p = self.point("P", contact);
        self.row("touch", call("norm", [apart]), distance);
        let left = call("vel_at", [name(&ball), name(&p)]);
        let right = call("vel_at", [name(&carrier), name(&p)]);
        match self.dice.below(3) {
            // One of the three rows says what the rate of the first one says.
            0 => self.rolls(left, right, None),
            1 => self.rolls(left, right, Some(link.frame)),
            _ => {
                // It slips along one direction.
                let along = axis("N", *self.dice.one(&LETTERS));
                self.row("grip", dot_of(left - right, along), number("0"));
            }
        }
    }

    /// A frame that turns about the vertical at a steady rate.
    fn turntable(&mut self) -> String {
        self.note("turntable");
        let angle = self.scalar("Om", "rad/s") * name("t");
        let frame = self.next("T");
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: "N".into(),
            turn: crate::random::machine::Turn::About(angle, axis("N", 'z')),
        });
        frame
    }

    /// An ellipsoid on a plane: the point of contact is where its normal is the plane's.
    fn ellipsoid_rolls(&mut self) {
        self.note("ellipsoid rolls");
        let semi = ["0.3", "0.4", "0.5"].map(|value| self.length_of(value));
        let (_, center) = self.anywhere();
        let link = self.ball(&center, "N");
        let body = self.body_at(&center, &link.frame, true);
        self.ends.push((center.clone(), link.frame.clone()));
        let up = axis("N", 'z');
        let mut squares = Vec::new();
        let mut along = Vec::new();
        for (a, letter) in semi.iter().zip(LETTERS) {
            let own = axis(&link.frame, letter);
            let part = dot_of(up.clone(), own.clone());
            squares.push(power(a.clone(), "2") * power(part.clone(), "2"));
            along.push(power(a.clone(), "2") * part * own);
        }
        let height = self.next("h");
        self.push(Statement::Let {
            name: height.clone(),
            value: call("sqrt", [sum(squares)]),
        });
        let reach = sum(along) / name(&height);
        let p = self.point("P", name(&center) - reach);
        let touch = dot_of(name(&p) - name("O"), up);
        self.row("touch", touch, number("0"));
        let slip = call("vel_at", [name(&body), name(&p)]);
        if self.dice.chance(0.6) {
            self.rolls(slip, number("0"), None);
        } else {
            // Smooth ice, or a runner.
            if self.dice.chance(0.5) {
                self.row("edge", dot_of(slip, axis("N", 'x')), number("0"));
            }
        }
    }

    /// A particle, on a spring perhaps, that cannot leave a surface.
    fn particle_on_surface(&mut self) {
        let ([x, y, z], p) = self.anywhere();
        self.body_at(&p, "N", false);
        self.ends.push((p, "N".to_owned()));
        let [x, y, z] = [x, y, z].map(|q| name(&q));
        match self.dice.below(4) {
            0 => {
                self.note("ellipsoid");
                let semi = ["1", "0.7", "0.5"].map(|value| self.length_of(value));
                let terms = [x, y, z].into_iter().zip(semi);
                let terms = terms.map(|(q, a)| power(q / a, "2")).collect();
                self.row("surface", sum(terms), whole(1));
            }
            1 => {
                self.note("torus surface");
                let (ring, tube) = (self.length_of("1"), self.length_of("0.3"));
                let out = call("hypot", [x, y]) - ring;
                let left = power(out, "2") + power(z, "2");
                self.row("surface", left, power(tube, "2"));
            }
            2 => {
                self.note("surface by a function");
                let h = self.next("h");
                let terms = vec![(0.4, vec![2, 0]), (-0.3, vec![0, 3]), (0.2, vec![1, 1])];
                let own = [&x, &y].map(ToString::to_string);
                self.push(Statement::Function {
                    name: h.clone(),
                    arguments: own.to_vec(),
                    terms,
                    unit: "m".into(),
                });
                self.row("surface", z, name(&h));
            }
            _ => {
                self.note("surface of revolution");
                let l = self.length_of("1");
                let square = (power(x, "2") + power(y, "2")) / power(l.clone(), "2");
                let bell = match self.dice.below(3) {
                    0 => call("exp", [-square]),
                    1 => call("sqrt", [whole(1) + square]),
                    _ => call("cos", [call("sqrt", [whole(1) + square])]),
                };
                self.row("surface", z, l * bell);
            }
        }
    }
}
