//! Angular velocities between neighbours in the tree of frames.

use super::{Mixed, Values};
use crate::mech::Fault;
use crate::mech::kinematics::Kinematics;
use crate::mech::vec3;
use crate::model::system::FrameId;
use crate::sym::Expr;

/// Over more steps than this a relative angular velocity is the difference of those relative to N. A ball joint is three steps.
const FEW_JOINTS: usize = 4;

impl Values<'_> {
    /// The angular velocity of a frame relative to one that few joints away from it, joint by joint; how both move does not enter.
    pub(super) fn over_few_joints(
        &self,
        k: &Kinematics,
        frame: FrameId,
        within: FrameId,
    ) -> Result<Option<Mixed>, Fault> {
        if within == FrameId(0) {
            return Ok(None);
        }
        // From either end so many joints inward.
        let outward = |from: FrameId| -> Result<Vec<FrameId>, Fault> {
            let mut path = vec![from];
            while let Some(last) = path.last()
                && path.len() <= FEW_JOINTS
                && let Some(parent) = self.frame(k, *last)?.parent
            {
                path.push(parent);
            }
            Ok(path)
        };
        let (own, others) = (outward(frame)?, outward(within)?);
        let met = own
            .iter()
            .enumerate()
            .find_map(|(i, f)| Some((i, others.iter().position(|g| g == f)?)));
        let Some((i, j)) = met.filter(|(i, j)| i + j <= FEW_JOINTS) else {
            return Ok(None);
        };
        let mut sum = Mixed::default();
        for f in &own[..i] {
            sum.add_part(*f, &self.frame(k, *f)?.relative_value);
        }
        for f in &others[..j] {
            let spin = &self.frame(k, *f)?.relative_value;
            sum.add_part(*f, &vec3::scale(&Expr::int(-1), spin));
        }
        Ok(Some(sum))
    }
}
