//! Models with loops and parts, taken apart and put together at random: no panic, no endless work, no message at a wrong place.

use super::messages_with;
use crate::diag::{self, Sources};
use crate::model::expand::PartText;
use proptest::prelude::*;

const PART: &str = "part leg\nneeds point hip\nneeds frame base\nneeds scalar k\nconst n = 2\nparam l[1..n] = 0.5 : m > 0\n\
    param m : kg > 0\ncoord q[1..n] : rad\npoint J[0] = hip\nfor i in 1..n {\nframe B[i] = rotate(base, q[i], base.z)\n\
    point J[i] = J[i - 1] + l[i]*B[i].x\nparticle A[i]: mass m at J[i]\ngeneralized q[i]: -k*q[i]\n}\npoint foot = J[n]\n";

const MODEL: &str = "model m\nconst n = 3, k = n - 1\nparam K : N*m\nparam M[1..n] = [1, 2, 3] : kg > 0\ncoord x[0..n] : m\n\
    function h[1..2](x[1], t) : m\ninput F : N\npoint P[0] = O + x[0]*N.x\nfor i in 1..n {\nfor j in i..n {\n\
    let d[i][j] = x[i] - x[j]\n}\npoint P[i] = P[i - 1] + x[i]*N.y + h[k]*N.z\nparticle A[i]: mass M[i] at P[i]\n\
    use \"leg.eom\" as leg[i](hip = P[i], base = N, k = K, n = i, l = 0.1*i)\n}\nuse \"leg.eom\" as arm(hip = leg[2].foot, base = leg[1].B[1], k = 2*K, m = M[1])\n\
    force on leg[1].foot, opposite on arm.J[1]: F*leg[2].B[1].x\ngravity: -9.81 [m/s^2]*N.y\nspeed u[1] = x[1]'\n\
    constraint c[1]: sum(i in 1..n, x[i]) = x[0]\nprivileged u[1]\nassume M[1] > M[2]\ngroup S: A[1], A[2]\n\
    output e = sum(i in 1..n, sum(j in i..n, M[j]*d[i][j]'^2)) + arm.q[1]'^2*1 [kg*m^2]\n";

/// Pieces of the two texts: words, numbers and signs, with the white space behind them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let joins = c.is_alphanumeric() || c == '_';
        match pieces.last_mut() {
            Some(last) if (word && joins) || c == ' ' => last.push(c),
            _ => pieces.push(c.to_string()),
        }
        word = joins;
    }
    pieces
}

/// A few pieces left out, doubled, swapped or put in from elsewhere.
fn mutated(text: &str, changes: &[(u8, u16, u16)]) -> String {
    let other: Vec<String> = [PART, MODEL].iter().flat_map(|text| pieces(text)).collect();
    let mut all = pieces(text);
    for (kind, at, from) in changes {
        let length = all.len().max(1);
        let (at, from) = (*at as usize % length, *from as usize);
        match kind % 5 {
            _ if all.is_empty() => {}
            0 => drop(all.remove(at)),
            1 => all.insert(at, other[from % other.len()].clone()),
            2 => all[at] = other[from % other.len()].clone(),
            3 => all.swap(at, from % length),
            _ => {
                let end = (at + from % 40).min(length);
                let copy = all[at..end].to_vec();
                let to = (at * 7 + from) % length;
                all.splice(to..to, copy);
            }
        }
    }
    all.concat()
}

fn survives(model: &str, part: &str) {
    let parts = [PartText {
        path: "leg.eom".to_owned(),
        text: Ok(part.to_owned()),
    }];
    let (_, found) = messages_with(model, &parts);
    for diagnostic in &found {
        for label in &diagnostic.labels {
            let text = if label.span.file == 0 { model } else { part };
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{label:?}\n{model}");
            assert!(label.span.copy == 0, "{label:?}\n{model}");
        }
    }
    let mut sources = Sources::new("model.eom", model);
    sources.add("leg.eom", part);
    diag::render_sources(&sources, &found, false);
}

#[test]
fn the_texts_are_good_before_they_are_changed() {
    let parts = [PartText {
        path: "leg.eom".to_owned(),
        text: Ok(PART.to_owned()),
    }];
    let (system, found) = messages_with(MODEL, &parts);
    assert!(system.is_some(), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn changed_models_are_survived(changes in prop::collection::vec(any::<(u8, u16, u16)>(), 1..6)) {
        survives(&mutated(MODEL, &changes), PART);
    }

    #[test]
    fn changed_parts_are_survived(changes in prop::collection::vec(any::<(u8, u16, u16)>(), 1..5)) {
        survives(MODEL, &mutated(PART, &changes));
    }
}
