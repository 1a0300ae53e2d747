//! Draws machines from a seed: a skeleton of one kind, and what stands around it. It knows the language, and nothing of mechanics beyond
//! what a modeller knows.

mod around;
mod dice;
mod joints;
mod skeletons;
mod surfaces;

pub use dice::Dice;

use super::expr::{Expr, axis, name, whole};
use super::machine::{Machine, Sign, Statement, Turn};

/// A machine while it is drawn.
pub struct Draw {
    /// Where chance comes from.
    pub dice: Dice,
    /// What there is so far.
    pub machine: Machine,
    /// Whether everything moves in the plane of N.x and N.y.
    pub planar: bool,
    /// Frames that may carry something.
    frames: Vec<String>,
    /// Points and the frames in which things may be fastened to them.
    ends: Vec<(String, String)>,
    /// Particles and bodies.
    masses: Vec<String>,
    /// Rigid bodies, with their frames.
    bodies: Vec<(String, String)>,
    /// Coordinates: name, and whether it is a length.
    coordinates: Vec<(String, bool)>,
    /// Coordinates that cannot be meddled with, since a rotation needs them together.
    bound: Vec<String>,
    /// Sets of speeds that fit: the coordinates whose rates they replace, and the speeds.
    speed_sets: Vec<(Vec<String>, Vec<Expr>)>,
    /// Scalar constraints with a reaction.
    rows: Vec<String>,
    /// Constraints on positions, each with a point on which it acts.
    held_at: Vec<(String, String)>,
    /// How many constraint rows there are at most.
    held: usize,
    count: usize,
    /// Whether loads of any kind are possible: energies given directly have no bodies.
    bare: bool,
}

/// The machine of a seed.
pub fn machine(seed: u64) -> Machine {
    let mut draw = Draw {
        dice: Dice::new(seed),
        machine: Machine::default(),
        planar: false,
        frames: vec!["N".to_owned()],
        ends: vec![("O".to_owned(), "N".to_owned())],
        masses: Vec::new(),
        bodies: Vec::new(),
        coordinates: Vec::new(),
        bound: Vec::new(),
        speed_sets: Vec::new(),
        rows: Vec::new(),
        held_at: Vec::new(),
        held: 0,
        count: 0,
        bare: false,
    };
    draw.machine.units = draw.dice.chance(0.5);
    draw.skeleton();
    draw.surroundings();
    draw.machine
}

impl Draw {
    fn note(&mut self, feature: &'static str) {
        if !self.machine.features.contains(&feature) {
            self.machine.features.push(feature);
        }
    }

    fn push(&mut self, statement: Statement) {
        self.machine.statements.push(statement);
    }

    fn next(&mut self, letter: &str) -> String {
        self.count += 1;
        format!("{letter}{}", self.count)
    }

    /// A parameter with a value of its own.
    fn param(&mut self, letter: &str, value: String, unit: &str, sign: Sign) -> Expr {
        let p = self.next(letter);
        self.push(Statement::Param {
            name: p.clone(),
            value,
            unit: unit.to_owned(),
            sign,
        });
        name(&p)
    }

    /// A length; now and then the one that was drawn before, or one of value zero.
    fn length(&mut self) -> Expr {
        let value = match self.dice.below(8) {
            0 => "1".to_owned(),
            1 => "0.5".to_owned(),
            _ => self.dice.decimal(0.2, 1.8),
        };
        let sign = self.dice.chance(0.6).then_some(">");
        self.param("l", value, "m", sign)
    }

    /// An offset that may vanish or be negative.
    fn offset(&mut self) -> Expr {
        let value = match self.dice.below(6) {
            0 => "0".to_owned(),
            1 => "-0.4".to_owned(),
            _ => self.dice.decimal(0.1, 0.9),
        };
        self.param("d", value, "m", None)
    }

    fn mass(&mut self) -> Expr {
        let value = self.dice.decimal(0.3, 3.0);
        let sign = self.dice.chance(0.8).then_some(">");
        self.param("m", value, "kg", sign)
    }

    fn scalar(&mut self, letter: &str, unit: &str) -> Expr {
        let value = self.dice.decimal(0.2, 2.5);
        self.param(letter, value, unit, None)
    }

    fn angle(&mut self) -> Expr {
        if self.dice.chance(0.5) {
            let value = self.dice.decimal(-1.5, 1.5);
            return self.param("ang", value, "rad", None);
        }
        let degrees: i32 = *self.dice.one(&[30, 45, 60, 90, 120, -90, 180, 20]);
        let value = f64::from(degrees).to_radians();
        Expr::Quantity(degrees.abs().to_string(), "deg".into(), value.abs()).signed(degrees < 0)
    }

    fn coord(&mut self, letter: &str, is_length: bool) -> String {
        let q = self.next(letter);
        let unit = if is_length { "m" } else { "rad" };
        self.push(Statement::Coord {
            name: q.clone(),
            unit: unit.to_owned(),
            sign: None,
        });
        self.coordinates.push((q.clone(), is_length));
        q
    }

    /// A basis vector of a frame: in the plane, or any.
    fn direction(&mut self, frame: &str) -> Expr {
        let letters: &[char] = if self.planar {
            &['x', 'y']
        } else {
            &['x', 'y', 'z']
        };
        let letter = *self.dice.one(letters);
        axis(frame, letter)
    }

    fn rigid_frame(&mut self, parent: &str) -> String {
        let frame = self.next("K");
        let angle = self.angle();
        let about = if self.planar {
            axis(parent, 'z')
        } else {
            self.direction(parent)
        };
        self.push(Statement::Frame {
            name: frame.clone(),
            parent: parent.to_owned(),
            turn: Turn::About(angle, about),
        });
        self.note("turned by a constant");
        frame
    }

    fn point(&mut self, letter: &str, place: Expr) -> String {
        let p = self.next(letter);
        self.push(Statement::Point {
            name: p.clone(),
            place,
        });
        p
    }

    /// A particle or a body at a point; the point is given, so is the frame.
    fn body_at(&mut self, center: &str, frame: &str, rigid: bool) -> String {
        let mass = self.mass();
        let body = self.next(if rigid { "W" } else { "A" });
        self.masses.push(body.clone());
        if !rigid {
            self.push(Statement::Particle {
                name: body.clone(),
                mass,
                at: center.to_owned(),
            });
            return body;
        }
        let (inertia, within) = self.inertia(&mass, frame);
        self.push(Statement::Body {
            name: body.clone(),
            frame: frame.to_owned(),
            mass,
            center: center.to_owned(),
            inertia,
            about: None,
            within,
        });
        self.bodies.push((body.clone(), frame.to_owned()));
        body
    }

    fn inertia(&mut self, mass: &Expr, frame: &str) -> (Vec<Expr>, Option<String>) {
        let mut moment = |low: f64, high: f64| {
            let value = self.dice.decimal(low, high);
            self.param("J", value, "kg*m^2", Some(">"))
        };
        let three = [moment(1.0, 1.9), moment(1.0, 1.9), moment(1.0, 1.9)];
        let kind = self.dice.below(5);
        match kind {
            0 => (vec![three[0].clone()], None),
            1 => {
                let l = self.length();
                let form = mass.clone() * super::expr::power(l, "2") / whole(12);
                (vec![form.clone(), form.clone(), form], None)
            }
            2 | 3 => {
                let within = (kind == 3).then(|| self.rigid_frame(frame));
                (three.to_vec(), within)
            }
            _ => {
                self.note("full tensor");
                let mut six = three.to_vec();
                for _ in 0..3 {
                    let value = self.dice.decimal(-0.3, 0.3);
                    six.push(self.param("J", value, "kg*m^2", None));
                }
                let within = self.dice.chance(0.3).then(|| self.rigid_frame(frame));
                (six, within)
            }
        }
    }
}

impl Expr {
    fn signed(self, negative: bool) -> Expr {
        if negative { -self } else { self }
    }
}
