//! Chance from a seed: the same everywhere and for ever.

/// Vigna's SplitMix64.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5851_f42d_4c95_7f2d);
        dice.word();
        dice
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to below this.
    pub fn below(&mut self, count: usize) -> usize {
        (self.word() % count.max(1) as u64) as usize
    }

    /// A number from 0 to 1.
    pub fn part(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something with this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.part() < probability
    }

    /// A number between these.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    /// A number between these with two decimals, as text.
    pub fn decimal(&mut self, low: f64, high: f64) -> String {
        format!("{:.2}", self.between(low, high))
    }

    /// One of these.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        let i = self.below(list.len());
        &list[i]
    }

    /// These in another order.
    pub fn shuffled<T: Clone>(&mut self, list: &[T]) -> Vec<T> {
        let mut list = list.to_vec();
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
        list
    }
}
