import Glibc
import Instants
import Operator
import WaterQuality

/// The water around one device's nine probes: a slow daily sine, a mean-reverting random walk, and the probes' noise.
///
/// Without a breach every value stays in the default range, so that a simulation causes no alerts unless it is asked to.
struct SimulatedWater: Sendable {
    /// The drift of one parameter, in fractions of the default range.
    private struct Drift: Sendable {
        let parameter: Parameter
        let offset: Double
        let phase: Double
        var walk = 0.0
        /// Remaining distance to the earlier water, in steps.
        var distance = 0.0
    }

    private var generator: SeededGenerator
    private var drifts: [Drift]
    private let breach: Parameter?
    private var elapsed = Duration.zero

    private static let day = 86_400.0
    private static let sine = 0.12
    /// The walk's deviation and bound, and its time constant in seconds.
    private static let deviation = 0.05
    private static let bound = 0.15
    private static let memory = 3600.0
    /// Time constant, in seconds, with which the earlier water is forgotten.
    private static let handover = 600.0
    /// How far a breach goes beyond the limit, as a fraction of the range.
    private static let excess = 0.25
    /// The deviation and bound of a probe's noise, in sensor steps.
    private static let noise = 0.4
    private static let loudest = 1.0

    /// - Parameter index: Which of the simulation's devices this is; each has water of its own.
    init(seed: UInt64, index: Int, breach: Breach? = nil) {
        var generator = SeededGenerator(seed: seed, stream: index)
        self.breach = breach?.parameter(using: &generator)
        drifts = Parameter.ofManual.map { parameter in
            Drift(
                parameter: parameter, offset: Double.random(in: -0.08...0.08, using: &generator),
                phase: Double.random(in: 0..<1, using: &generator))
        }
        self.generator = generator
    }

    /// The readings of all probes now, in whole sensor steps.
    mutating func measure() -> [(parameter: Parameter, value: Steps)] {
        drifts.map { drift in (drift.parameter, measure(drift)) }
    }

    /// Continues from earlier water, and approaches this one.
    /// - Parameter age: The age of the earlier values.
    mutating func follow(_ values: [Parameter: Steps], after age: Duration) {
        let kept = exp(-max(0, age.asSeconds) / Self.handover)
        for index in drifts.indices {
            guard let value = values[drifts[index].parameter] else { continue }
            drifts[index].distance = (Double(value.count) - course(of: drifts[index])) * kept
        }
    }

    /// Advances simulated time.
    mutating func advance(by step: Duration) {
        elapsed = elapsed + step
        // The exact step of an Ornstein-Uhlenbeck process, valid for any length.
        let kept = exp(-step.asSeconds / Self.memory)
        let shaken = Self.deviation * (1 - kept * kept).squareRoot()
        for index in drifts.indices {
            let walk = drifts[index].walk * kept + shaken * generator.normal()
            drifts[index].walk = min(max(walk, -Self.bound), Self.bound)
            drifts[index].distance *= exp(-step.asSeconds / Self.handover)
        }
    }

    /// The value without breach and noise, in steps.
    private func course(of drift: Drift) -> Double {
        let usual = drift.parameter.usualSteps
        let turn = elapsed.asSeconds / Self.day + drift.phase
        let deviation = drift.offset + Self.sine * sin(2 * .pi * turn) + drift.walk
        let middle = (usual.lowerBound + usual.upperBound) / 2
        return middle + deviation * (usual.upperBound - usual.lowerBound) + drift.distance
    }

    private mutating func measure(_ drift: Drift) -> Steps {
        let usual = drift.parameter.usualSteps
        let span = usual.upperBound - usual.lowerBound
        var value = course(of: drift)
        if drift.parameter == breach {
            let depth = Breach.depth(after: elapsed)
            // Low values are the danger for oxygen, high values for everything else.
            let target =
                drift.parameter == .dissolvedOxygen
                ? usual.lowerBound - Self.excess * span : usual.upperBound + Self.excess * span
            value += (target - value) * depth
        }
        let noise = min(max(Self.noise * generator.normal(), -Self.loudest), Self.loudest)
        return Steps(Int32((value + noise).rounded()))
    }
}

extension Parameter {
    /// The default range in steps. Parameters without a minimum begin at zero, their best value.
    fileprivate var usualSteps: ClosedRange<Double> {
        let lower = defaults.minimum ?? Steps(0)
        let upper = defaults.maximum ?? absoluteRange.upperBound
        return Double(lower.count)...Double(upper.count)
    }
}

/// A small deterministic generator (SplitMix64), so that a simulation can be repeated.
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

    /// An approximately normal number with mean 0 and deviation 1: the sum of twelve uniform numbers.
    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
