//! A seeded random number generator: the same seed gives the same session.

/// PCG-XSH-RR 64/32 (O'Neill 2014).
///
/// ```
/// use evenstep_lab::random::Random;
///
/// let mut random = Random::new(1);
/// let rates_hz = [60.0, 144.0, 240.0];
/// println!("{} Hz with {:.1} ms of noise", rates_hz[random.below(3)], random.between(0.0, 3.0));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that starts from a seed.
    pub fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x853C_49E6_748F_EA9B);
        let mut random = Self { state };
        // Neighbouring seeds have neighbouring states; two steps separate them.
        random.next();
        random.next();
        random
    }

    fn next(&mut self) -> u32 {
        let state = self.state;
        self.state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (((state >> 18) ^ state) >> 27) as u32;
        mixed.rotate_right((state >> 59) as u32)
    }

    /// A number from a uniform distribution over 0..1.
    pub fn unit(&mut self) -> f64 {
        (f64::from(self.next()) + f64::from(self.next()) / 4_294_967_296.0) / 4_294_967_296.0
    }

    /// A number from a uniform distribution over `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number from a uniform distribution over `0..end`; 0 if that is empty.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    /// Whether something with this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number from the standard normal distribution (Box-Muller transform).
    pub fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_seeds_have_nothing_in_common() {
        for seed in 0..100 {
            let mut one = Random::new(seed);
            let mut next = Random::new(seed + 1);
            let product: f64 = (0..1_000).map(|_| one.gauss() * next.gauss()).sum::<f64>() / 1_000.0;
            assert!(product.abs() < 0.15, "seeds {seed} and {}: correlation {product}", seed + 1);
        }
    }

    #[test]
    fn gauss_has_mean_0_and_deviation_1() {
        let mut random = Random::new(1);
        let values: Vec<f64> = (0..100_000).map(|_| random.gauss()).collect();
        let mean = values.iter().sum::<f64>() / 1e5;
        let square = values.iter().map(|value| value * value).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.01 && (square - 1.0).abs() < 0.02, "mean {mean}, square {square}");
    }
}
