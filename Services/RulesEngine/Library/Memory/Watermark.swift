import Instants
import Store
import WaterQuality

/// The event time up to which each parameter of a device was evaluated, and the value then. A reading that is not newer
/// changes nothing.
///
/// For a device that is new to the engine only the newest time of all parameters is looked up. That settles every
/// reading but a late one, for which `isUncertain(at:of:)` asks for a closer look.
struct Watermark: Sendable {
    private static let unknown = Timestamp.distantPast
    private var times = PerParameter<Timestamp>(repeating: unknown)
    /// The values at these times; NaN where they are not known.
    private var values = PerParameter<Float>(repeating: .nan)
    /// Parameters without a time were not evaluated after this time.
    private var horizon = Timestamp.distantPast
    /// When the device was heard, as far as it was looked up: messages since then are not noted.
    private(set) var heardAt: Timestamp?

    /// A watermark of a device that was never evaluated.
    init() {}

    /// - Parameters:
    ///   - newest: The newest event time evaluated, over all parameters.
    ///   - heardAt: When that was received.
    init(newest: Timestamp, heardAt: Timestamp? = nil) { (horizon, self.heardAt) = (newest, heardAt) }

    /// The watermark of one parameter; `nil` when none is known.
    subscript(_ parameter: Parameter) -> Timestamp? {
        let time = times[Int(parameter.rawValue)]
        return time == Self.unknown ? nil : time
    }

    /// The newest time of all parameters; `nil` when none is known.
    var newest: Timestamp? {
        var newest = horizon
        for index in times.indices { newest = max(newest, times[index]) }
        return newest == Self.unknown ? nil : newest
    }

    /// Forgets what is later than a time, because the device's clock was put back to it.
    mutating func stepBack(to time: Timestamp) {
        for index in times.indices where times[index] >= time {
            (times[index], values[index]) = (Self.unknown, .nan)
        }
        horizon = min(horizon, time - .microseconds(1))
    }

    /// Whether one of these parameters, or one whose probe is broken, may have been evaluated at or after a time.
    func isUncertain(at time: Timestamp, of readings: Readings, broken: ParameterSet = []) -> Bool {
        guard time <= horizon else { return false }
        return Parameter.allCases.contains {
            (readings.present | broken.mask) & $0.bit != 0 && times[Int($0.rawValue)] == Self.unknown
        }
    }

    /// The value of a parameter at its watermark; `nil` when none is known.
    func value(of parameter: Parameter) -> Steps? {
        let value = values[Int(parameter.rawValue)]
        return value.isNaN ? nil : parameter.steps(of: value)
    }

    /// Whether one of these readings is news, and its parameter may have been evaluated shortly before with a value that is
    /// not known here.
    func lacksValue(before time: Timestamp, within hold: Duration, of readings: Readings) -> Bool {
        var lacks = false
        Parameter.forEach(in: readings.present) { parameter in
            let index = Int(parameter.rawValue)
            let last = times[index] == Self.unknown ? horizon : times[index]
            if values[index].isNaN, last < time, time - hold <= last { lacks = true }
        }
        return lacks
    }

    /// The time of the newest reading of a parameter that can count, once a reading of this time has come. What was
    /// evaluated up to it decides what that reading means: an old reading means nothing, and asks for nothing older.
    /// - Parameter latest: The latest time that a mark can rightly carry (`EventTime.latest`).
    func head(of parameter: Parameter, at time: Timestamp, latest: Timestamp) -> Timestamp {
        max(time, min(self[parameter] ?? horizon, latest))
    }

    /// Takes over the watermarks that a lookup of all parameters at or after a time has found.
    mutating func settle(since: Timestamp, found: PerParameter<Timestamp?>) {
        for index in times.indices {
            guard let time = found[index], time > times[index] else { continue }
            times[index] = time
            values[index] = .nan
        }
        horizon = min(horizon, since - .microseconds(1))
    }

    /// Takes over the last values that a lookup of all parameters at or after a time has found, with their times.
    mutating func recall(since: Timestamp, found: PerParameter<FindLastValues.Last?>) {
        for index in times.indices {
            guard let last = found[index], last.time >= times[index] else { continue }
            times[index] = last.time
            values[index] = last.value
        }
        horizon = min(horizon, since - .microseconds(1))
    }

    /// Advances the parameters that are present to a time. A mark moves back only when it is later than a mark can
    /// rightly be.
    mutating func advance(to time: Timestamp, for readings: Readings, latest: Timestamp) {
        Parameter.forEach(in: readings.present) { parameter in
            let index = Int(parameter.rawValue)
            guard time > times[index] || times[index] > latest else { return }
            times[index] = time
            values[index] = readings[parameter] ?? .nan
        }
    }
}
