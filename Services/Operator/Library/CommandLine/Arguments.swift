import ArgumentParser
import ServiceKit
import WaterQuality

/// A length of time on the command line: `500ms`, `30s`, `5m`, `2h`, `7d`.
struct DurationArgument: ExpressibleByArgument, Hashable, Sendable {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = parseDuration(argument), duration > .zero else { return nil }
        self.duration = duration
    }

    var defaultValueDescription: String { "\(duration.asSeconds)s" }
}

/// The id of a device on the command line.
struct DeviceArgument: ExpressibleByArgument, Hashable, Sendable {
    let id: Device.HardwareID

    init?(argument: String) {
        guard let id = Device.HardwareID(argument) else { return nil }
        self.id = id
    }
}

/// A factor greater than zero on the command line.
struct SpeedArgument: ExpressibleByArgument, Hashable, Sendable {
    let factor: Double

    init(_ factor: Double) { self.factor = factor }

    init?(argument: String) {
        guard let factor = Double(argument), factor > 0, factor.isFinite else { return nil }
        self.factor = factor
    }

    var defaultValueDescription: String { "\(factor)" }
}
