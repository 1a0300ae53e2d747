//! What ways to compute the same values are compared by.

/// The time of an evaluation and its operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price {
    /// Estimated cycles; 0 of all where only operations count.
    pub cycles: usize,
    /// Operations.
    pub operations: usize,
}

/// Times that differ by less than a tenth are taken for equal: that is about the error of the estimate between two ways to solve one problem.
const EQUAL: [usize; 2] = [10, 11];

/// So many cycles, and so many operations, are not noticed beside the call of a function: a small model is not worth less to its reader.
const FEW: f64 = 8.0;

impl Price {
    /// Of operations alone.
    pub fn of_operations(operations: usize) -> Self {
        Self {
            cycles: 0,
            operations,
        }
    }

    /// Whether this is the better of two: of those that take about as long, the one of fewer operations.
    pub fn beats(self, other: Self) -> bool {
        match self.is_close_to(other.cycles) && other.is_close_to(self.cycles) {
            true => self.operations < other.operations,
            false => self.cycles < other.cycles,
        }
    }

    /// Whether it takes hardly longer than so many cycles.
    pub fn is_close_to(self, cycles: usize) -> bool {
        let [of, most] = EQUAL;
        of * self.cycles <= most * cycles
    }

    /// Whether this is kept for other reasons beside what might take its place, if it may take `margin` times as much: it is quicker, or not
    /// much worse in both.
    pub fn holds_beside(self, other: Self, margin: f64) -> bool {
        let few = if margin > 1.0 { FEW } else { 0.0 };
        let within = |own: usize, other: usize| own as f64 <= margin * other as f64 + few;
        let quicker = !other.is_close_to(self.cycles);
        let in_time = within(self.cycles, other.cycles) || self.is_close_to(other.cycles);
        quicker || in_time && within(self.operations, other.operations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(cycles: usize, operations: usize) -> Price {
        Price { cycles, operations }
    }

    #[test]
    fn of_what_takes_as_long_operations_decide() {
        assert!(price(110, 50).beats(price(100, 51)));
        assert!(!price(111, 50).beats(price(100, 51)));
        assert!(price(100, 900).beats(price(111, 50)));
        assert!(!price(100, 50).beats(price(100, 50)));
        assert!(Price::of_operations(7).beats(Price::of_operations(8)));
    }

    #[test]
    fn what_is_kept_is_no_more_than_a_margin_worse_in_both() {
        let holds = |own, other| Price::holds_beside(own, other, 1.25);
        assert!(holds(price(100, 58), price(100, 40)));
        assert!(!holds(price(100, 59), price(100, 40)));
        assert!(!holds(price(134, 40), price(100, 40)));
        assert!(holds(price(28, 14), price(16, 5)));
        // Without a margin it is the comparison of two.
        for (own, other) in [
            (price(105, 50), price(100, 60)),
            (price(90, 70), price(100, 60)),
        ] {
            assert!(own.holds_beside(other, 1.0) && !other.beats(own));
            assert!(!other.holds_beside(own, 1.0) && own.beats(other));
        }
        // It is quicker.
        assert!(holds(price(100, 400), price(111, 40)));
        let [of, other] = [59, 40].map(Price::of_operations);
        assert!(holds(Price::of_operations(58), other) && !holds(of, other));
    }
}
