import Instants
import WaterQuality

/// The canary's water at any time. One value leaves its range at the beginning of each turn, and is back a third of the turn later; the next
/// turn is another value's, or its other side's.
///
/// No side of a value comes again within eight turns, so that the throttle (30 minutes) holds nothing back: it needs no exception for the
/// canary. The water follows from the times alone, and nothing is remembered. A publisher that is started again begins a turn at once;
/// one whose clock is wrong takes another turn and is as punctual.
struct CanarySchedule: Hashable, Sendable {
    /// From one turn to the next.
    let every: Duration
    /// When the first turn begins.
    let start: Timestamp

    /// Within a turn there has to be time for the alarm, for what is tried again of it, and for the all-clear.
    static let intervals: ClosedRange<Duration> = .seconds(600)...(.seconds(3_600))
    /// Between the first reading of a jump and the second, which shows that the first was no glitch.
    static let confirmation = Duration.seconds(5)
    /// Parameters with two limits, from which nothing else is computed.
    static let parameters: [Parameter] = [.temperature, .ph, .salinity, .hardness]

    struct Water: Hashable, Sendable {
        /// The value that is out of range; nil: none is.
        var out: Excursion?
        /// Whether it confirms what was read before. It is a step higher then: a device without a clock that says the same again within
        /// seconds is taken to repeat itself.
        var isConfirmed: Bool
    }

    struct Excursion: Hashable, Sendable {
        var parameter: Parameter
        var side: Side
    }

    func water(at time: Timestamp) -> Water {
        let (turn, phase) = place(of: time)
        guard phase < every / 3 else { return Water(isConfirmed: phase - every / 3 >= Self.confirmation) }
        let count = Int64(Self.parameters.count)
        return Water(
            out: Excursion(
                parameter: Self.parameters[Int(turn % count)], side: turn / count % 2 == 0 ? .high : .low),
            isConfirmed: phase >= Self.confirmation)
    }

    /// The time until the water has to be told next.
    func wait(after time: Timestamp) -> Duration {
        let phase = place(of: time).phase
        let moments = [Self.confirmation, every / 3, every / 3 + Self.confirmation]
        return (moments.first { $0 > phase } ?? every) - phase
    }

    /// The number of the turn, counted through since 1970, and the time since it began. A clock that was put back to before the start is in a
    /// turn as any other is.
    private func place(of time: Timestamp) -> (turn: Int64, phase: Duration) {
        let length = every.wholeMicroseconds
        let offset = max(0, start.microseconds) % length
        let since = max(0, time.microseconds) + length - offset
        return (since / length, .microseconds(since % length))
    }
}

extension CanarySchedule.Water {
    /// The values of all parameters of the canary: in the middle of their range, or beyond a limit by half of what is between the limits.
    var values: [(parameter: Parameter, value: Steps)] {
        CanarySchedule.parameters.map { parameter in
            guard let least = parameter.defaults.minimum?.count, let most = parameter.defaults.maximum?.count else {
                preconditionFailure("the canary's parameters have two limits")
            }
            let half = (most - least) / 2
            let value =
                switch out {
                case .some(let out) where out.parameter == parameter: out.side == .low ? least - half : most + half
                default: least + half
                }
            return (parameter, Steps(value + (isConfirmed ? 1 : 0)))
        }
    }
}
