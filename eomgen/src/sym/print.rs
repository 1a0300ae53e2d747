//! Expressions as text in the model's own notation and order.

use super::expr::Expr;
use super::node::Node;
use super::{Algebra, Var};
use num_rational::BigRational;
use num_traits::{One, Signed};

impl Algebra {
    /// The expression in model notation, terms and factors in the model's order.
    pub fn text(&self, e: &Expr) -> String {
        self.node_text(&self.node(e))
    }

    fn name_of(&self, v: Var) -> &str {
        &self.info(v).name
    }

    /// A tree in model notation.
    pub fn node_text(&self, n: &Node) -> String {
        match n {
            Node::Number(r) => r.to_string(),
            Node::Var(v) => self.name_of(*v).to_string(),
            Node::Sum(terms) => {
                let mut s = String::new();
                for (i, t) in terms.iter().enumerate() {
                    let (sep, t) = match (t.is_negative(), i) {
                        (true, 0) => ("-", t.negated()),
                        (true, _) => (" - ", t.negated()),
                        (false, 0) => ("", t.clone()),
                        (false, _) => (" + ", t.clone()),
                    };
                    s.push_str(sep);
                    let text = self.node_text(&t);
                    if matches!(t, Node::Sum(_)) {
                        s.push_str(&format!("({text})"))
                    } else {
                        s.push_str(&text)
                    }
                }
                s
            }
            Node::Product(c, factors) => self.product_text(c, factors),
        }
    }

    fn product_text(&self, c: &BigRational, factors: &[(Node, i32)]) -> String {
        let mut top: Vec<String> = Vec::new();
        let mut bottom: Vec<String> = Vec::new();
        if !c.numer().abs().is_one() {
            top.push(c.numer().abs().to_string());
        }
        if !c.denom().is_one() {
            bottom.push(c.denom().to_string());
        }
        // What is 1 at every state is not shown; it is there for derivatives.
        for (b, e) in factors.iter().filter(|f| !self.is_unit_node(&f.0)) {
            let text = match b {
                Node::Sum(_) => format!("({})", self.node_text(b)),
                other => self.node_text(other),
            };
            let power = |e: i32| {
                if e == 1 {
                    text.clone()
                } else {
                    format!("{text}^{e}")
                }
            };
            if *e > 0 {
                top.push(power(*e))
            } else {
                bottom.push(power(-e))
            }
        }
        let sign = if c.is_negative() { "-" } else { "" };
        let numerator = if top.is_empty() {
            "1".to_string()
        } else {
            top.join("*")
        };
        match bottom.len() {
            0 => format!("{sign}{numerator}"),
            1 => format!("{sign}{numerator}/{}", bottom[0]),
            _ => format!("{sign}{numerator}/({})", bottom.join("*")),
        }
    }
}
