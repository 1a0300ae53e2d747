//! Skeletons: what kind of machine it is.

use super::Draw;
use super::joints::{Link, dot_of};
use crate::random::expr::{Expr, axis, call, name, number, power, rate, whole};
use crate::random::machine::{Load, Part, Statement, Turn};

impl Draw {
    /// One of the kinds of machines.
    pub fn skeleton(&mut self) {
        match self.dice.below(22) {
            0..=5 => self.tree(),
            6 => self.linkage(),
            7 => self.spatial_loop(),
            8 | 9 => self.ball_rolls(),
            10 => self.disc_rolls(),
            11 => self.wheel(),
            12 | 13 => self.particles(),
            14 => self.energies(),
            15 => self.contact_with_friction(),
            16 => self.chain_in_loop(),
            17 => self.limbs(),
            18 => self.platform(),
            19 | 20 => self.curved(),
            _ => self.cut_tree(),
        }
    }

    fn tree(&mut self) {
        self.note("tree");
        self.planar = self.dice.chance(0.35);
        for _ in 0..1 + self.dice.below(3) {
            self.link();
            if self.coordinates.len() > 6 {
                break;
            }
        }
    }

    /// A tree with a constraint between two of its ends.
    fn cut_tree(&mut self) {
        self.note("tree closed by a constraint");
        self.planar = self.dice.chance(0.5);
        while self.ends.len() < 3 || self.coordinates.len() < 3 {
            self.link();
        }
        let a = self.ends[self.ends.len() - 1].clone();
        let b = self.ends[self.dice.below(self.ends.len() - 1)].clone();
        match self.dice.below(3) {
            0 => self.rod(&a.0, &b.0),
            1 => {
                let along = self.direction(&b.1);
                let offset = self.offset();
                let left = dot_of(name(&a.0) - name(&b.0), along);
                self.row("guide", left, offset);
            }
            _ if self.coordinates.len() >= if self.planar { 3 } else { 4 } => {
                let within = self.dice.chance(0.3).then(|| b.1.clone());
                self.joined(name(&a.0), name(&b.0), within);
            }
            _ => self.rod(&a.0, &b.0),
        }
    }

    /// A scalar constraint.
    pub fn row(&mut self, letter: &str, left: Expr, right: Expr) -> String {
        let c = self.next(letter);
        self.held += 1;
        self.push(Statement::Constraint {
            name: c.clone(),
            left,
            right,
            vector: false,
            within: None,
        });
        self.rows.push(c.clone());
        c
    }

    fn rod(&mut self, a: &str, b: &str) {
        self.note("rod");
        let value = self.dice.decimal(0.6, 1.6);
        let l = self.param("l", value, "m", Some(">"));
        let left = if self.dice.chance(0.5) {
            call("distance", [name(a), name(b)])
        } else {
            call("norm", [name(b) - name(a)])
        };
        let row = self.row("rod", left, l);
        self.held_at.push((row, b.to_owned()));
    }

    /// Two points that coincide.
    pub fn joined(&mut self, left: Expr, right: Expr, within: Option<String>) -> String {
        self.note("joined points");
        let c = self.next("c");
        self.held += if self.planar { 2 } else { 3 };
        if let Expr::Name(point) = &left {
            self.held_at.push((c.clone(), point.clone()));
        }
        self.push(Statement::Constraint {
            name: c.clone(),
            left,
            right,
            vector: true,
            within,
        });
        c
    }

    fn hinge(&mut self, from: &str, base: &str, letter: char) -> Link {
        let q = self.coord("q", false);
        let frame = self.next("B");
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: base.to_owned(),
            turn: Turn::About(name(&q), axis(base, letter)),
        });
        Link {
            frame,
            root: from.to_owned(),
        }
    }

    /// A bar on a hinge: its end.
    fn bar(&mut self, from: &str, base: &str, length: &Expr) -> (String, String) {
        let link = self.hinge(from, base, 'z');
        let end = self.point("E", name(from) + length.clone() * axis(&link.frame, 'x'));
        let middle = name(from) + length.clone() / whole(2) * axis(&link.frame, 'x');
        let center = self.point("G", middle);
        let rigid = self.dice.chance(0.7);
        self.body_at(if rigid { &center } else { &end }, &link.frame, rigid);
        self.frames.push(link.frame.clone());
        self.ends.push((end.clone(), link.frame.clone()));
        (end, link.frame)
    }

    /// Four-bars in a row, crossed arms, parallelograms, slider-cranks.
    fn linkage(&mut self) {
        self.note("planar linkage");
        self.planar = true;
        let loops = 1 + self.dice.below(2);
        let mut root = "O".to_owned();
        for _ in 0..loops {
            let equal = self.dice.chance(0.3);
            let relative = self.dice.chance(0.5);
            let crank = self.length_of("0.4");
            let ground = self.length_of("1.1");
            let (coupler, rocker) = if equal {
                self.note("parallelogram");
                (ground.clone(), crank.clone())
            } else {
                (self.length_of("1"), self.length_of("0.8"))
            };
            let (a, frame) = self.bar(&root, "N", &crank);
            let base = if relative { frame } else { "N".to_owned() };
            let (b, _) = self.bar(&a, &base, &coupler);
            let far = self.point("D", name(&root) + ground * axis("N", 'x'));
            if self.dice.chance(0.25) {
                self.note("slider");
                let s = self.coord("s", true);
                let place = name(&root) + name(&s) * axis("N", 'x');
                let slider = self.point("S", place);
                self.body_at(&slider, "N", false);
                self.joined(name(&b), name(&slider), None);
            } else {
                let (c, _) = self.bar(&far, "N", &rocker);
                if self.dice.chance(0.8) {
                    self.joined(name(&b), name(&c), None);
                } else {
                    let left = dot_of(name(&b) - name(&c), axis("N", 'x'));
                    self.row("loop", left, number("0"));
                    let left = dot_of(name(&b) - name(&c), axis("N", 'y'));
                    self.row("loop", left, number("0"));
                }
            }
            root = far;
        }
        if self.dice.chance(0.3)
            && let Some((first, _)) = self.coordinates.first().cloned()
        {
            self.note("privileged");
            self.push(Statement::Privileged(if loops == 1 {
                vec![rate(name(&first))]
            } else {
                let third = self.coordinates[self.coordinates.len() / 2].0.clone();
                vec![rate(name(&first)), rate(name(&third))]
            }));
        }
    }

    pub(super) fn length_of(&mut self, value: &str) -> Expr {
        let value = if self.dice.chance(0.5) {
            value.to_owned()
        } else {
            let v: f64 = value.parse().unwrap_or(1.0);
            self.dice.decimal(0.9 * v, 1.1 * v)
        };
        self.param("l", value, "m", Some(">"))
    }

    /// Two arms in space whose ends meet, or whose axes are held at right angles.
    fn spatial_loop(&mut self) {
        self.note("loop in space");
        let length = self.length_of("1");
        let first = self.ball("O", "N");
        let p = self.point("E", name("O") + length.clone() * axis(&first.frame, 'x'));
        self.body_at(&p, &first.frame, true);
        let value = self.dice.decimal(0.4, 1.2);
        let ground = self.param("l", value, "m", Some(">"));
        let far = self.point("D", name("O") + ground * axis("N", 'x'));
        let second = if self.dice.chance(0.5) {
            self.ball(&far, "N")
        } else {
            let lower = self.hinge(&far, "N", 'z');
            self.hinge(&lower.root, &lower.frame, 'y')
        };
        let reach = self.length_of("0.9");
        let r = self.point("E", name(&far) + reach * axis(&second.frame, 'y'));
        self.body_at(&r, &second.frame, true);
        self.ends.push((p.clone(), first.frame.clone()));
        self.ends.push((r.clone(), second.frame.clone()));
        if self.dice.chance(0.5) {
            self.joined(name(&p), name(&r), None);
        } else {
            self.rod(&p, &r);
        }
        if self.dice.chance(0.3) {
            let left = dot_of(axis(&first.frame, 'z'), axis(&second.frame, 'x'));
            self.row("square", left, number("0"));
        }
    }

    /// A ground that rests, turns, tilts or moves.
    fn ground(&mut self) -> String {
        let kind = self.dice.below(4);
        if kind == 0 {
            return "N".to_owned();
        }
        let angle = match kind {
            1 => {
                self.note("turntable");
                self.scalar("Om", "rad/s") * name("t")
            }
            2 => {
                self.note("incline");
                self.angle()
            }
            _ => {
                self.note("ground that moves by itself");
                let q = self.coord("q", false);
                name(&q)
            }
        };
        let frame = self.next("T");
        let letter = if kind == 2 { 'y' } else { 'z' };
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: "N".into(),
            turn: Turn::About(angle, axis("N", letter)),
        });
        if kind == 3 {
            self.body_at("O", &frame, true);
        }
        frame
    }

    fn ball_rolls(&mut self) {
        self.note("ball rolls");
        let ground = self.ground();
        let r = self.length_of("0.3");
        let (x, y) = (self.coord("x", true), self.coord("y", true));
        let mut place = name("O") + name(&x) * axis(&ground, 'x') + name(&y) * axis(&ground, 'y');
        let lifted = self.dice.chance(0.4);
        let height = if lifted {
            name(&self.coord("z", true))
        } else {
            r.clone()
        };
        place = place + height.clone() * axis(&ground, 'z');
        let center = self.point("C", place);
        let link = self.ball(&center, "N");
        let ball = self.body_at(&center, &link.frame, true);
        if self.dice.chance(0.4) {
            let shape = (r, None, None);
            self.roll((&ball, &center), &ground, shape, lifted);
            return;
        }
        let contact = call(
            "contact_sphere",
            [name(&center), r.clone(), axis(&ground, 'z')],
        );
        let p = self.point("P", contact);
        if lifted && self.dice.chance(0.6) {
            self.row("touch", height, r);
        }
        let left = call("vel_at", [name(&ball), name(&p)]);
        let right = call("vel_at", [name(&ground), name(&p)]);
        let within = self.dice.chance(0.3).then(|| ground.clone());
        let c = self.next("roll");
        self.held += 3;
        self.push(Statement::Constraint {
            name: c,
            left,
            right,
            vector: true,
            within,
        });
        if self.dice.chance(0.15) {
            self.note("surface row");
            let left = dot_of(call("vel", [name(&center)]), axis(&ground, 'y'));
            let right = self.scalar("v", "m/s");
            self.row("along", left, right);
        }
    }

    fn disc_rolls(&mut self) {
        self.note("disc rolls");
        let r = self.length_of("0.4");
        let names = [
            self.coord("x", true),
            self.coord("y", true),
            self.coord("z", true),
        ];
        let angles = [0, 1, 2].map(|_| self.coord("q", false));
        self.bound.extend(angles.iter().cloned());
        let lean = self.next("L");
        self.push(Statement::Frame {
            name: lean.clone(),
            parent: "N".into(),
            turn: Turn::Body("zx".into(), vec![name(&angles[0]), name(&angles[1])]),
        });
        let frame = self.next("B");
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: lean.clone(),
            turn: Turn::About(name(&angles[2]), axis(&lean, 'y')),
        });
        let mut place = name("O");
        for (q, letter) in names.iter().zip(['x', 'y', 'z']) {
            place = place + name(q) * axis("N", letter);
        }
        let center = self.point("C", place);
        let disc = self.body_at(&center, &frame, true);
        let torus = self.dice.chance(0.3);
        let set = ['x', 'y', 'z'].map(|letter| {
            let spin = call("angvel", [name(&frame)]);
            dot_of(spin, axis(&lean, letter))
        });
        self.speed_sets.push((angles.to_vec(), set.to_vec()));
        if self.dice.chance(0.4) {
            let tube = torus.then(|| self.length_of("0.1"));
            let shape = (r, Some(axis(&lean, 'y')), tube);
            self.roll((&disc, &center), "N", shape, true);
            return;
        }
        let contact = if torus {
            self.note("torus");
            let tube = self.length_of("0.1");
            call(
                "contact_torus",
                [name(&center), r, tube, axis(&lean, 'y'), axis("N", 'z')],
            )
        } else {
            call(
                "contact_disc",
                [name(&center), r, axis(&lean, 'y'), axis("N", 'z')],
            )
        };
        let p = self.point("P", contact);
        if self.dice.chance(0.5) {
            self.push(Statement::Assume(
                call("cos", [name(&angles[1])]),
                ">",
                number("0"),
            ));
        }
        if self.dice.chance(0.5) {
            self.row(
                "touch",
                dot_of(name(&p) - name("O"), axis("N", 'z')),
                number("0"),
            );
            for along in [
                axis(&lean, 'x'),
                call("cross", [axis("N", 'z'), axis(&lean, 'x')]),
            ] {
                let slip = call("vel_at", [name(&disc), name(&p)]);
                self.row("roll", dot_of(slip, along), number("0"));
            }
        } else {
            let c = self.next("roll");
            self.held += 3;
            let within = self.dice.chance(0.3).then(|| lean.clone());
            self.push(Statement::Constraint {
                name: c,
                left: call("vel_at", [name(&disc), name(&p)]),
                right: number("0"),
                vector: true,
                within,
            });
        }
    }

    /// The statement in one line: what rolls with its centre, the frame in whose plane through `O` across its third axis, the shape as radius, axis
    /// and tube.
    fn roll(
        &mut self,
        (body, center): (&str, &str),
        ground: &str,
        (radius, along, tube): (Expr, Option<Expr>, Option<Expr>),
        lifted: bool,
    ) {
        self.note("roll in one line");
        self.held += if lifted { 3 } else { 2 };
        let stated = ground == "N" || self.dice.chance(0.3);
        self.push(Statement::Roll {
            names: ["contact", "touch", "roll"].map(|word| format!("{body}.{word}")),
            body: body.to_owned(),
            center: center.to_owned(),
            ground: ground.to_owned(),
            normal: axis(ground, 'z'),
            stated,
            radius,
            axis: along,
            tube,
            lifted,
        });
    }

    /// Upright wheels and blades under a cart.
    fn wheel(&mut self) {
        self.note("wheels and blades");
        let (x, y) = (self.coord("x", true), self.coord("y", true));
        let heading = self.coord("q", false);
        let cart = self.next("H");
        self.push(Statement::Frame {
            name: cart.clone(),
            parent: "N".into(),
            turn: Turn::About(name(&heading), axis("N", 'z')),
        });
        let place = name("O") + name(&x) * axis("N", 'x') + name(&y) * axis("N", 'y');
        let center = self.point("C", place);
        self.body_at(&center, &cart, true);
        self.frames.push(cart.clone());
        self.ends.push((center.clone(), cart.clone()));
        let r = self.length_of("0.2");
        for _ in 0..1 + self.dice.below(2) {
            let (b, d) = (self.offset(), self.offset());
            let hub = name(&center) + b * axis(&cart, 'y') + d * axis(&cart, 'x');
            let hub = self.point("Q", hub);
            if self.dice.chance(0.5) {
                let edge = self.dice.chance(0.7);
                let steered = if edge {
                    cart.clone()
                } else {
                    self.hinge(&hub, &cart, 'z').frame
                };
                if !edge {
                    self.body_at(&hub, &steered, true);
                }
                let slip = dot_of(call("vel", [name(&hub)]), axis(&steered, 'y'));
                self.row("blade", slip, number("0"));
                continue;
            }
            let spin = self.hinge(&hub, &cart, 'y');
            let wheel = self.body_at(&hub, &spin.frame, true);
            let low = name(&hub) - r.clone() * axis("N", 'z');
            let slip = call("vel_at", [name(&wheel), low]);
            if self.dice.chance(0.5) {
                let c = self.next("rolls");
                self.held += 2;
                self.push(Statement::Constraint {
                    name: c,
                    left: slip,
                    right: number("0"),
                    vector: true,
                    within: None,
                });
            } else {
                self.row("rolls", dot_of(slip.clone(), axis(&cart, 'x')), number("0"));
                if self.dice.chance(0.4) {
                    self.row("side", dot_of(slip, axis(&cart, 'y')), number("0"));
                }
            }
        }
    }

    /// Particles by Cartesian coordinates with constraints of every kind.
    fn particles(&mut self) {
        self.note("particles");
        let count = 1 + self.dice.below(2);
        self.planar = self.dice.chance(0.3);
        let letters: &[char] = if self.planar {
            &['x', 'y']
        } else {
            &['x', 'y', 'z']
        };
        let mut own = Vec::new();
        for _ in 0..count {
            let mut place = name("O");
            for letter in letters {
                let q = self.coord(&letter.to_string(), true);
                place = place + name(&q) * axis("N", *letter);
                own.push(q);
            }
            let p = self.point("P", place);
            self.body_at(&p, "N", false);
            self.ends.push((p, "N".to_owned()));
        }
        let v = |q: &String| rate(name(q));
        match self.dice.below(8) {
            0 => {
                self.note("nonlinear in the velocities");
                let square = power(v(&own[0]), "2") + power(v(&own[1]), "2");
                let right = self.scalar("c", "m^2/s^2");
                self.row("cone", square, right);
            }
            1 if own.len() > 2 => {
                self.note("nonlinear in the velocities");
                let left = power(v(&own[0]), "2") + power(v(&own[1]), "2");
                let slope = self.scalar("k", "1");
                self.row("cone", left, slope * power(v(&own[2]), "2"));
            }
            2 => {
                self.note("rheonomic");
                let (a, w) = (self.scalar("a", "m"), self.scalar("w", "rad/s"));
                let wave = a * call("sin", [w * name("t")]);
                let left = name(&own[0]) - name(&own[1]);
                self.row("drive", left, wave);
            }
            3 => {
                self.note("nonholonomic");
                let l = self.length_of("1");
                let left = v(&own[1]) * l;
                let right = name(&own[0]) * v(own.last().unwrap_or(&own[0]));
                self.row("knife", left, right);
            }
            4 => {
                let l = self.length_of("1");
                let far = self.ends.last().map(|e| e.0.clone()).unwrap_or_default();
                self.note("rod");
                self.row("rod", call("distance", [name("O"), name(&far)]), l);
            }
            5 => {
                self.note("row on accelerations");
                let f = self.next("acc");
                self.push(Statement::Input {
                    name: f.clone(),
                    unit: "m/s^2".into(),
                });
                let left = rate(v(&own[0])) + whole(2) * rate(v(&own[1]));
                self.row("servo", left, name(&f));
            }
            6 => {
                // Forces that are called non-ideal act without a constraint too.
                self.note("free particles");
                return self.nonideal(&own);
            }
            _ => {
                self.note("surface");
                let l = self.length_of("1");
                let bowl = power(name(&own[0]), "2") / (whole(2) * l);
                let last = own[own.len() - 1].clone();
                self.row("bowl", name(&last), bowl);
            }
        }
        if self.dice.chance(0.25) {
            self.nonideal(&own);
        }
    }

    fn nonideal(&mut self, own: &[String]) {
        self.note("nonideal");
        let c = self.scalar("c", "kg/s");
        let (kind, on, value) = if self.dice.chance(0.5) {
            let q = self.dice.one(own).clone();
            (Load::Generalized, q.clone(), -c * rate(name(&q)))
        } else {
            let p = self.ends[self.ends.len() - 1].0.clone();
            (Load::Force, p.clone(), -c * call("vel", [name(&p)]))
        };
        self.push(Statement::Load {
            kind,
            nonideal: true,
            on,
            opposite: None,
            value,
        });
    }

    /// A machine stated by its energies.
    fn energies(&mut self) {
        self.note("energies");
        self.bare = true;
        let m = self.mass();
        let l = self.length_of("1");
        let (x, q) = (self.coord("x", true), self.coord("q", false));
        let v = rate(name(&x));
        let w = rate(name(&q));
        let swing = l.clone() * w.clone() * call("cos", [name(&q)]);
        let mut kinetic = m.clone() * power(v.clone(), "2") / whole(2)
            + m.clone() * power(v + swing, "2") / whole(2);
        if self.dice.chance(0.5) {
            let j = self.param("J", "0.7".into(), "kg*m^2", Some(">"));
            kinetic = kinetic + j * power(w.clone(), "2") / whole(2);
        } else {
            let rise = l.clone() * w.clone() * call("sin", [name(&q)]);
            kinetic = kinetic + m.clone() * power(rise, "2") / whole(2);
        }
        self.push(Statement::Energy {
            keyword: "kinetic",
            name: "T1".into(),
            value: kinetic,
        });
        let g = self.scalar("g", "m/s^2");
        let k = self.scalar("k", "N/m");
        let fall = -(m * g * l * call("cos", [name(&q)]));
        let value = fall + k * power(name(&x), "2") / whole(2);
        self.push(Statement::Energy {
            keyword: "potential",
            name: "V1".into(),
            value,
        });
        if self.dice.chance(0.6) {
            let c = self.scalar("c", "N*m*s/rad");
            self.push(Statement::Energy {
                keyword: "dissipation",
                name: "D1".into(),
                value: c * power(w, "2") / whole(2),
            });
        }
        if self.dice.chance(0.4) {
            let left = name(&x);
            let a = self.scalar("a", "m");
            let right = a * call("sin", [name(&q)]);
            self.row("cam", left, right);
        }
    }

    /// Bodies on supports with friction by their reactions.
    fn contact_with_friction(&mut self) {
        self.note("friction by a reaction");
        self.planar = true;
        let (x, y) = (self.coord("x", true), self.coord("y", true));
        let q = self.coord("q", false);
        let frame = self.next("B");
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: "N".into(),
            turn: Turn::About(name(&q), axis("N", 'z')),
        });
        let place = name("O") + name(&x) * axis("N", 'x') + name(&y) * axis("N", 'y');
        let center = self.point("G", place);
        self.body_at(&center, &frame, true);
        self.ends.push((center.clone(), frame.clone()));
        self.frames.push(frame.clone());
        let a = self.length_of("0.5");
        let foot = self.point("F", name(&center) + a * axis(&frame, 'x'));
        let v0 = self.param("v0", "0.1".into(), "m/s", Some(">"));
        let mut supports = vec![('y', 'x', foot.clone())];
        if self.dice.chance(0.4) {
            let b = self.length_of("0.6");
            let top = self.point("F", name(&center) - b * axis(&frame, 'x'));
            supports.push(('x', 'y', top));
        }
        for (normal, along, point) in supports {
            let left = dot_of(name(&point) - name("O"), axis("N", normal));
            let c = self.row("support", left, number("0"));
            let mu = self.param("mu", "0.15".into(), "1", None);
            let slip = dot_of(call("vel", [name(&point)]), axis("N", along));
            let sign = call("tanh", [slip / v0.clone()]);
            let value = -(mu * call("reaction", [name(&c)]) * sign) * axis("N", along);
            self.push(Statement::Load {
                kind: Load::Force,
                nonideal: false,
                on: point,
                opposite: None,
                value,
            });
        }
    }

    /// A chain of equal links by a loop, hung at both ends.
    fn chain_in_loop(&mut self) {
        self.note("family and loop");
        self.planar = true;
        let count = 2 + self.dice.below(2) as i64;
        let l = self.param("l", "0.5".into(), "m", Some(">"));
        let m = self.mass();
        for i in 1..=count {
            let q = format!("q[{i}]");
            self.push(Statement::Coord {
                name: q.clone(),
                unit: "rad".into(),
                sign: None,
            });
            self.coordinates.push((q, false));
        }
        self.push(Statement::Point {
            name: "J[0]".into(),
            place: name("O"),
        });
        let relative = self.dice.chance(0.5);
        if relative {
            self.push(Statement::Frame {
                name: "B[0]".into(),
                parent: "N".into(),
                turn: Turn::About(number("0"), axis("N", 'z')),
            });
        }
        let parent = if relative { "B[i - 1]" } else { "N" };
        let body = vec![
            Statement::Frame {
                name: "B[i]".into(),
                parent: parent.into(),
                turn: Turn::About(name("q[i]"), axis(parent, 'z')),
            },
            Statement::Point {
                name: "J[i]".into(),
                place: name("J[i - 1]") + l.clone() * axis("B[i]", 'x'),
            },
            Statement::Particle {
                name: "A[i]".into(),
                mass: m,
                at: "J[i]".into(),
            },
        ];
        self.push(Statement::For {
            variable: "i".into(),
            first: 1,
            last: count,
            body,
        });
        for i in 1..=count {
            self.masses.push(format!("A[{i}]"));
            self.ends.push((format!("J[{i}]"), format!("B[{i}]")));
            self.frames.push(format!("B[{i}]"));
        }
        if count > 2 && self.dice.chance(0.5) {
            let d = self.param("d", "0.9".into(), "m", Some(">"));
            let far = self.point("D", name("O") + d * axis("N", 'x'));
            self.joined(name(&format!("J[{count}]")), name(&far), None);
        }
    }

    /// A base with two equal limbs from a part.
    fn limbs(&mut self) {
        self.note("parts");
        self.planar = true;
        let statements = vec![
            Statement::Param {
                name: "l".into(),
                value: "0.6".into(),
                unit: "m".into(),
                sign: Some(">"),
            },
            Statement::Param {
                name: "m".into(),
                value: "0.8".into(),
                unit: "kg".into(),
                sign: Some(">"),
            },
            Statement::Coord {
                name: "q".into(),
                unit: "rad".into(),
                sign: None,
            },
            Statement::Frame {
                name: "B".into(),
                parent: "base".into(),
                turn: Turn::About(name("q"), axis("base", 'z')),
            },
            Statement::Point {
                name: "tip".into(),
                place: name("root") + name("l") * axis("B", 'x'),
            },
            Statement::Particle {
                name: "A".into(),
                mass: name("m"),
                at: "tip".into(),
            },
        ];
        self.machine.parts.push(Part {
            name: "limb".into(),
            statements,
        });
        let x = self.coord("x", true);
        let base = self.hinge("O", "N", 'z');
        let place = name("O") + name(&x) * axis("N", 'x');
        let root = self.point("C", place);
        self.body_at(&root, &base.frame, true);
        for (limb, given) in [("left", false), ("right", true)] {
            let values = if given {
                vec![("l".to_owned(), "0.9".to_owned())]
            } else {
                Vec::new()
            };
            self.push(Statement::Use {
                file: "limb".into(),
                name: limb.into(),
                root: root.clone(),
                base: base.frame.clone(),
                values,
            });
            self.coordinates.push((format!("{limb}.q"), false));
            self.masses.push(format!("{limb}.A"));
            self.ends.push((format!("{limb}.tip"), format!("{limb}.B")));
            self.frames.push(format!("{limb}.B"));
        }
    }

    /// A platform on legs with ball joints, as in a Stewart platform.
    fn platform(&mut self) {
        self.note("platform");
        let link = self.free("O", "N");
        self.body_at(&link.root, &link.frame, true);
        let legs = 1 + self.dice.below(2);
        for i in 0..legs {
            let r = self.length_of("0.4");
            let spread = self.param("ang", "0.26".into(), "rad", None);
            let turn = Expr::Quantity(
                (120 * i).to_string(),
                "deg".into(),
                f64::from(120 * i as u8).to_radians(),
            );
            let foot = self.next("U");
            self.push(Statement::Frame {
                name: foot.clone(),
                parent: "N".into(),
                turn: Turn::About(turn + spread, axis("N", 'z')),
            });
            let angles = [self.coord("q", false), self.coord("q", false)];
            let leg = self.next("L");
            self.push(Statement::Frame {
                name: leg.clone(),
                parent: foot,
                turn: Turn::Body("xy".into(), angles.iter().map(|q| name(q)).collect()),
            });
            let s = self.coord("s", true);
            let end = self.point("E", name("O") + name(&s) * axis(&leg, 'z'));
            self.body_at("O", &leg, true);
            let letter = if i == 0 { 'x' } else { 'y' };
            let corner = name(&link.root) + r * axis(&link.frame, letter);
            self.joined(name(&end), corner, None);
        }
        self.ends.push((link.root, link.frame));
    }
}
