import Instants
import WaterQuality

/// Up to which event time each parameter of a device was evaluated: what is not newer changes nothing.
///
/// Of a device that an engine has not heard yet only the newest time of all parameters is looked up. That settles every
/// reading but a late one, for which `isUncertain(at:of:)` asks to look closer.
struct Watermark: Sendable {
    private static let unknown = Timestamp.distantPast
    private var times = InlineArray<9, Timestamp>(repeating: unknown)
    /// Parameters without a time were not evaluated after this one.
    private var horizon = Timestamp.distantPast

    /// Nothing was evaluated yet.
    init() {}

    /// - Parameter newest: Of all parameters.
    init(newest: Timestamp) { horizon = newest }

    /// Nil: never, as far as is known.
    subscript(_ parameter: Parameter) -> Timestamp? {
        let time = times[Int(parameter.rawValue)]
        return time == Self.unknown ? nil : time
    }

    /// Whether it is not known if one of these parameters was evaluated at or after a time.
    func isUncertain(at time: Timestamp, of readings: Readings) -> Bool {
        guard time <= horizon else { return false }
        return Parameter.allCases.contains {
            readings.present & $0.bit != 0 && times[Int($0.rawValue)] == Self.unknown
        }
    }

    /// Takes over what was found of all parameters at or after a time.
    mutating func settle(since: Timestamp, found: InlineArray<9, Timestamp?>) {
        for index in times.indices {
            if let time = found[index] { times[index] = max(times[index], time) }
        }
        horizon = min(horizon, since - .microseconds(1))
    }

    /// Moves the parameters that are present forward to a time, and back only from what is later than a mark can rightly be.
    mutating func advance(to time: Timestamp, for readings: Readings, latest: Timestamp) {
        for parameter in Parameter.allCases where readings.present & parameter.bit != 0 {
            let mark = times[Int(parameter.rawValue)]
            times[Int(parameter.rawValue)] = mark > latest ? time : max(mark, time)
        }
    }
}
