//! The page on the reduced Appell equations.

use super::*;

impl Page<'_> {
    fn cyclic(&self) -> Vec<&str> {
        let coords = &self.c.system.coords;
        let of = |i: &usize| coords[*i].meta.name.as_str();
        self.formulated.cyclic.iter().map(of).collect()
    }
}

/// Wang & Pao, section III.C and 64: five of seven coordinates are cyclic.
#[test]
fn the_wheels() {
    page(WHEELS, "appell-reduced", |p| {
        assert_eq!(p.cyclic(), ["x1", "y1", "x2", "y2", "psi2"]);
        p.equations_are(&[
            "a*(2*a*(M + m_rim)*psi1'' - l*(M + m_rim)*phi'' - 2*M*g*sin(alpha)*cos(phi))",
            "-(a*l*(M + m_rim)*psi1'' - (M*l^2 + m_rim*l^2 + m_rim*a^2)*phi'' - M*g*l*sin(alpha)*cos(phi))",
        ]);
        let table = p.table("reduced_derivative");
        assert_eq!(table.rows, ["psi1'", "phi'", "psi1''", "phi''"]);
        p.table_is(
            Space::SpeedRates,
            "reduced_derivative",
            &[&["psi1'"], &["phi'"], &["psi1''"], &["phi''"]],
        );
        p.table_is(
            Space::SpeedRates,
            "quadratures",
            &[
                &["a*psi1'*cos(phi)"],
                &["a*psi1'*sin(phi)"],
                &["(a*psi1' - l*phi')*cos(phi)"],
                &["(a*psi1' - l*phi')*sin(phi)"],
                &["psi1' - l/a*phi'"],
            ],
        );
    });
}

/// Of the sleigh the position is cyclic and the heading is not: u2 is its rate.
#[test]
fn the_sleigh() {
    page(&sleigh(BLADE), "appell-reduced", |p| {
        assert_eq!(p.cyclic(), ["x", "y"]);
        p.equations_are(&["(m1 + m2)*u1' + m1*l*u2^2", "m1*l^2*u2' - m1*l*u1*u2"]);
        let table = p.table("reduced_derivative");
        assert_eq!(table.rows, ["theta'", "u1'", "u2'"]);
        p.table_is(
            Space::SpeedRates,
            "quadratures",
            &[
                &["u1*cos(theta) + l*u2*sin(theta)"],
                &["u1*sin(theta) - l*u2*cos(theta)"],
            ],
        );
    });
}

/// A force that depends on a coordinate takes it from the list.
#[test]
fn a_spring_to_a_wall() {
    let text = sleigh(&format!("param c : N/m\n{BLADE}\nforce on P1: -c*x*N.x"));
    page(&text, "appell-reduced", |p| assert_eq!(p.cyclic(), ["y"]));
}

/// A coordinate that is there in the text alone is cyclic all the same.
#[test]
fn a_coordinate_that_cancels() {
    let text = sleigh(&format!(
        "param c : N\n{BLADE}\nforce on P1: -c*(sin(x/l)^2 + cos(x/l)^2)*B.x"
    ));
    page(&text, "appell-reduced", |p| {
        assert_eq!(p.cyclic(), ["x", "y"]);
        p.equations_are(&["(m1 + m2)*u1' + m1*l*u2^2 + c", "m1*l^2*u2' - m1*l*u1*u2"]);
    });
}

/// A privileged coordinate is not cyclic, however little depends on it: its rate belongs to the state.
#[test]
fn nothing_is_cyclic() {
    let text = "model fall\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y";
    page(text, "appell-reduced", |p| {
        assert!(p.cyclic().is_empty());
        assert!(p.formulated.notes.iter().any(|d| d.code == "N0502"));
        p.equations_are(&["m*x''", "m*y'' + 9.81*m"]);
        let table = p.table("reduced_derivative");
        assert_eq!(table.rows, ["x'", "y'", "x''", "y''"]);
        let none = p.formulation.table(&mut p.c, &p.formulated, "quadratures");
        assert!(none.unwrap().is_none());
    });
}
