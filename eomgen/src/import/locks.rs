//! Joints that do not move: those that the user holds, and those that carry nothing. Knows no format.

use super::decimal::Decimal;
use super::findings::Findings;
use super::robot::{Equality, Held, Joint, Law, Motion, Robot};
use super::settings::Lock;
use super::turn::Angle;

/// Why the locks that were asked for make no sense.
pub fn refused(robot: &Robot, locks: &[Lock]) -> Option<String> {
    let names: Vec<&str> = robot
        .joints()
        .filter(|(_, joint)| joint.turns().is_some())
        .map(|(_, joint)| joint.name.as_str())
        .collect();
    for lock in locks {
        let pattern = &lock.pattern;
        let mut hit = robot
            .joints()
            .filter(|(_, joint)| lock.matches(&joint.name))
            .peekable();
        if hit.peek().is_none() {
            let shown: Vec<&str> = names.iter().take(12).copied().collect();
            let more = if names.len() > shown.len() {
                ", .."
            } else {
                ""
            };
            return Some(format!(
                "no joint is called `{pattern}`: there are {}{more}",
                shown.join(", ")
            ));
        }
        if lock.in_degrees()
            && let Some((_, joint)) = hit.find(|(_, joint)| joint.turns() == Some(false))
        {
            return Some(format!(
                "`{}` slides and cannot be held at an angle: give a length in metres",
                joint.name
            ));
        }
    }
    None
}

/// Holds the joints that the locks name; those of several coordinates stay as they are.
pub fn hold(robot: &mut Robot, locks: &[Lock], findings: &mut Findings) {
    for link in &mut robot.links {
        for joint in &mut link.joints {
            let Some(lock) = locks.iter().rev().find(|lock| lock.matches(&joint.name)) else {
                continue;
            };
            match joint.turns() {
                Some(turns) => lock_joint(joint, lock.held(turns)),
                None => findings.left_out(
                    "locks of joints with several coordinates",
                    &joint.name,
                    joint.span,
                ),
            }
        }
    }
    follow(robot, findings);
}

fn lock_joint(joint: &mut Joint, held: Held) {
    let reference = joint.plain(&joint.reference);
    let held = match held {
        held if reference.is_zero() => held,
        Held::Angle(Angle::Radians(value)) => Held::Angle(Angle::Radians(value.plus(&-&reference))),
        Held::Angle(Angle::Degrees(value)) => {
            let value = Decimal::of_double(value.to_double().to_radians());
            Held::Angle(Angle::Radians(value.plus(&-&reference)))
        }
        Held::Distance(value) => Held::Distance(value.plus(&-&reference)),
    };
    joint.motion = Motion::Locked(Box::new(joint.motion.clone()), held);
}

/// Joints that follow one that is held are held, too.
fn follow(robot: &mut Robot, findings: &mut Findings) {
    loop {
        let next = robot
            .equalities
            .iter()
            .position(|equality| match &equality.law {
                Law::Joint {
                    follower, leader, ..
                } => {
                    let held = |joint: (usize, usize)| {
                        robot.joint(joint).is_some_and(|joint| !joint.moves())
                    };
                    leader.is_none_or(held) || held(*follower)
                }
                _ => false,
            });
        let Some(at) = next else { return };
        let Equality { law, span, .. } = robot.equalities.remove(at);
        let Law::Joint {
            follower,
            leader,
            coefficients,
        } = law
        else {
            return;
        };
        let Some(joint) = robot.joint(follower) else {
            continue;
        };
        if !joint.moves() {
            let name = joint.name.clone();
            findings.left_out("couplings of joints that are held", name, span);
            continue;
        }
        let value = leader
            .and_then(|leader| robot.joint(leader))
            .map_or_else(Decimal::zero, value_of);
        let value = coefficients
            .iter()
            .rev()
            .fold(Decimal::zero(), |sum, c| sum.times(&value).plus(c));
        let turns = joint.turns() == Some(true);
        let held = if turns {
            Held::Angle(Angle::Radians(value))
        } else {
            Held::Distance(value)
        };
        if let Some(joint) = robot.links[follower.0].joints.get_mut(follower.1) {
            // Couplings are between distances from the references.
            joint.motion = Motion::Locked(Box::new(joint.motion.clone()), held);
        }
    }
}

/// How far a joint that is held is from its reference.
fn value_of(joint: &Joint) -> Decimal {
    let Motion::Locked(_, held) = &joint.motion else {
        return Decimal::zero();
    };
    match held {
        Held::Angle(Angle::Degrees(value)) => Decimal::of_double(value.to_double().to_radians()),
        Held::Angle(Angle::Radians(value)) | Held::Distance(value) => value.clone(),
    }
}

/// Holds the joints behind which nothing weighs anything: their accelerations would not be determined.
pub fn hold_weightless(robot: &mut Robot, findings: &mut Findings) {
    let weighs = robot.weighs();
    for (at, link) in robot.links.iter_mut().enumerate() {
        if weighs[at] {
            continue;
        }
        for joint in &mut link.joints {
            if !joint.moves() || !joint.rotor.is_zero() {
                continue;
            }
            findings.left_out(
                "joints that move nothing with a mass (held at 0)",
                &joint.name,
                joint.span,
            );
            let held = match joint.turns() {
                Some(false) => Held::Distance(Decimal::zero()),
                _ => Held::Angle(Angle::Radians(Decimal::zero())),
            };
            lock_joint(joint, held);
        }
    }
    follow(robot, findings);
}
