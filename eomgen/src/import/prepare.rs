//! What every machine goes through before it is written: the base, the ground, where coordinates start. Knows no format.

use super::decimal::Decimal;
use super::findings::Findings;
use super::robot::{Joint, Motion, Robot};
use super::settings::{Base, Settings};
use super::{locks, numbers};

/// Applies the settings; the error says why they do not fit.
pub fn prepare(
    robot: &mut Robot,
    settings: &Settings,
    findings: &mut Findings,
) -> Result<(), String> {
    if let Some(told) = locks::refused(robot, &settings.locks) {
        return Err(told);
    }
    if robot.grounded && settings.base.is_some() {
        return Err("--base is for URDF: this file says itself how its bodies move".to_owned());
    }
    let free = match settings.base.unwrap_or_default() {
        Base::Fixed => None,
        Base::FreeQuaternion => Some(Motion::Free),
        Base::FreeEuler => Some(Motion::FreeEuler),
    };
    if let (Some(motion), Some(root)) = (free, robot.links.first_mut()) {
        root.joints.push(Joint::new("", root.span, motion));
    }
    locks::hold(robot, &settings.locks, findings);
    locks::hold_weightless(robot, findings);
    for link in &mut robot.links {
        link.masses.retain(|mass| !mass.is_nothing());
    }
    ground(robot, findings);
    start(robot);
    robot.exact = settings.keep_angles;
    if !robot.joints().any(|(_, joint)| joint.moves()) {
        return Err(format!(
            "nothing in {} moves: with --base free-quaternion it is a free body",
            robot.name
        ));
    }
    if let Some(most) = settings.decimals {
        numbers::round(robot, most);
    }
    Ok(())
}

/// Masses that cannot move say nothing, and are left out.
fn ground(robot: &mut Robot, findings: &mut Findings) {
    let mut still = vec![false; robot.links.len()];
    for at in 0..robot.links.len() {
        let link = &robot.links[at];
        let base = link.parent.is_none_or(|parent| still[parent]);
        still[at] = base && !link.joints.iter().any(Joint::moves);
        if still[at] && !link.masses.is_empty() {
            let link = &mut robot.links[at];
            findings.left_out("masses that are fixed to the ground", &link.name, link.span);
            link.masses.clear();
        }
    }
}

/// A coordinate that cannot be 0 starts in the middle of its range.
fn start(robot: &mut Robot) {
    for joint in robot.links.iter_mut().flat_map(|link| &mut link.joints) {
        let (Some(low), Some(high)) = &joint.range else {
            continue;
        };
        let zero = Decimal::zero();
        if joint.initial.is_none() && (*low > zero || *high < zero) {
            let middle = (low.to_double() + high.to_double()) / 2.0;
            joint.initial = Some(Decimal::of_double(middle).rounded(4));
        }
    }
}
