//! The kinematic rows of points.

use super::super::vectors::Vectors;
use super::Builder;

impl Builder<'_, '_, '_> {
    /// The frame in whose components the kinematic row of a point is written: the point's own, unless the rates that move it there have
    /// more numbers for coefficients in a frame in which it is offset. A number pairs with the row.
    fn row_axes(&mut self, p: usize) -> usize {
        let (point, own) = (&self.s.points[p], self.places.of_points[p]);
        let variable = |b: &mut Self, to: usize| {
            let mut count = 0;
            for offset in &point.offsets {
                for (_, rate) in &offset.rate {
                    let rate = b.turner.turn(b.calc, rate, offset.rate_axes, to);
                    let numbers = rate
                        .iter()
                        .filter(|x| b.calc.graph.as_rational(**x).is_some());
                    count += 3 - numbers.count();
                }
            }
            count
        };
        let (mut best, mut least) = (own, variable(self, own));
        for offset in point.offsets.iter().filter(|o| !o.rate.is_empty()) {
            for frame in [offset.frame, offset.rate_axes] {
                let to = self.turner.of(frame);
                let count = variable(self, to);
                if count < least {
                    (best, least) = (to, count);
                }
            }
        }
        best
    }

    pub(super) fn point_rows(&mut self, p: usize) {
        let (point, mut place) = (&self.s.points[p], self.places.points[&p]);
        let mut to = self.row_axes(p);
        let mut axes = self.places.of_points[p];
        if let Some((frame, between)) = self.places.offset.get(&p).copied() {
            // The offset in the frame's components, and then nothing but a turn.
            let turn = self.turner.matrix(self.calc, frame, axes);
            let one = self.calc.graph.one();
            for i in 0..3 {
                self.add(place.row + i, place.own + i, one);
                for j in 0..3 {
                    self.subtract(place.row + i, between.own + j, turn[i][j]);
                }
            }
            (place, to, axes) = (between, frame, frame);
        }
        let own = self.turner.matrix(self.calc, axes, to);
        for i in 0..3 {
            for j in 0..3 {
                self.add(place.row + i, place.own + j, own[i][j]);
            }
        }
        if let Some(base) = point.base {
            match self.places.points.get(&base).copied() {
                Some(before) => {
                    let from = self.places.of_points[base];
                    let r = self.turner.matrix(self.calc, from, to);
                    for i in 0..3 {
                        for j in 0..3 {
                            self.subtract(place.row + i, before.own + j, r[i][j]);
                        }
                    }
                }
                None if !self.shifted => {
                    let known = self.known(base, to);
                    self.add_rhs_vector(place.row, &known);
                }
                None => {}
            }
        }
        for offset in &point.offsets {
            let f = offset.frame;
            let axes = self.turner.of(f);
            let r = self.turner.turn(self.calc, &offset.place, f, axes);
            for (k, rate) in &offset.rate {
                let rate = self.turner.turn(self.calc, rate, offset.rate_axes, to);
                for (i, x) in rate.iter().enumerate() {
                    self.subtract(place.row + i, *k, *x);
                }
            }
            if let Some(frame) = self.places.frames.get(&f).copied() {
                let skew = self.calc.skew(&r);
                let turn = self.turner.matrix(self.calc, axes, to);
                let arm = self.calc.product(&turn, &skew);
                for i in 0..3 {
                    for j in 0..3 {
                        self.add(place.row + i, frame.own + j, arm[i][j]);
                    }
                }
            }
            if !self.shifted {
                let bias = self.offset_bias(offset, to);
                self.add_rhs_vector(place.row, &bias);
            }
        }
    }
}
