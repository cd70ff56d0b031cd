/// A small generator whose numbers follow from its seed (SplitMix64): a simulation can be run again.
struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// One of many independent generators of one seed.
    init(seed: UInt64, stream: Int) {
        var first = SeededGenerator(seed: seed &+ UInt64(stream) &* 0xD1B5_4A32_D192_ED03)
        state = first.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Normally distributed with mean 0 and deviation 1, near enough for noise: the sum of twelve uniform numbers.
    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
