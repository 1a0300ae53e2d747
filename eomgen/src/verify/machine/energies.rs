//! What energies contribute that the model gives as such.

use super::balance::Balance;
use super::{Machine, Wrt};
use crate::model::system::{EnergyKind, Scalar};
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::number::{Algebra, EvalError, Number};

impl Machine<'_> {
    /// Adds `-dV/dq`, `-dD/dq'` and, of T, `dT'/dq' - 2 dT/dq`, which is linear in q''.
    pub(super) fn energies<N: Number>(
        &self,
        state: &State<N>,
        directions: &[[N; 3]],
        balance: &mut Balance<N>,
    ) -> Result<(), EvalError> {
        let count = balance.applied.len();
        let slopes = |kind, wrt| -> Result<Option<Vec<N>>, EvalError> {
            let mut energies = self.energies_of(kind).peekable();
            if energies.peek().is_none() {
                return Ok(None);
            }
            let at = self.instant(self.dual_motion((state, None), wrt, count, directions))?;
            let mut sum = vec![N::int(0); count];
            for energy in energies {
                let value = at.scalar(energy)?;
                sum = linear::add(&sum, &value.now()?.slopes(count));
            }
            Ok(Some(sum))
        };
        let loads = [
            (EnergyKind::Potential, Wrt::Coordinates),
            (EnergyKind::Dissipation, Wrt::Rates),
        ];
        for (kind, wrt) in loads {
            if let Some(slopes) = slopes(kind, wrt)? {
                balance.applied = linear::sub(&balance.applied, &slopes);
            }
        }
        let Some(slope) = slopes(EnergyKind::Kinetic, Wrt::Coordinates)? else {
            return Ok(());
        };
        // Second derivatives: the same motion with derivatives by the rates around those by the accelerations.
        let motion = self.dual_motion((state, None), Wrt::Accelerations, count, directions);
        let mut motion = motion.map(|x| Dual::fixed(x.clone()));
        motion.vary(Wrt::Rates, count);
        let at = self.instant(motion)?;
        let mut change = Dual::int(0);
        for energy in self.energies_of(EnergyKind::Kinetic) {
            change = change.add(at.scalar(energy)?.rate().now()?);
        }
        let n = state.q.len();
        let mut mass = Vec::with_capacity(count);
        let mut rest = Vec::with_capacity(count);
        for (j, (own, slope)) in change.slopes(count).into_iter().zip(slope).enumerate() {
            mass.push(own.slopes(n));
            rest.push(own.value.sub(&slope).sub(&slope));
            balance.mass[j] = linear::add(&balance.mass[j], &mass[j]);
        }
        balance.velocity_terms = linear::add(&balance.velocity_terms, &rest);
        balance.given = Some((mass, rest));
        Ok(())
    }

    fn energies_of(&self, kind: EnergyKind) -> impl Iterator<Item = &Scalar> {
        let energies = self.system.energies.iter();
        energies.filter(move |e| e.kind == kind).map(|e| &e.value)
    }
}
