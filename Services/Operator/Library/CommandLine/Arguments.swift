import ArgumentParser
import Instants
import ServiceKit
package import WaterQuality

/// A length of time on the command line: `500ms`, `30s`, `5m`, `2h`, `7d`.
package struct DurationArgument: ExpressibleByArgument, Hashable, Sendable {
    package let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    package init?(argument: String) {
        guard let duration = parseDuration(argument), duration > .zero else { return nil }
        self.duration = duration
    }

    package var defaultValueDescription: String { "\(duration.asSeconds)s" }
}

extension Duration {
    package var asSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}

/// The id of a device on the command line.
package struct DeviceArgument: ExpressibleByArgument, Hashable, Sendable {
    package let id: Device.HardwareID

    package init?(argument: String) {
        guard let id = Device.HardwareID(argument) else { return nil }
        self.id = id
    }
}

/// The argument of `--since`: a time, or a length of time before now.
enum Since: Hashable, Sendable {
    case time(Timestamp)
    case ago(Duration)

    /// - Throws: `invalidInput`.
    init(_ argument: String) throws(OperatorError) {
        if let duration = parseDuration(argument), duration > .zero {
            self = .ago(duration)
        } else if let time = Timestamp(argument), !argument.allSatisfy(\.isNumber) {
            self = .time(time)
        } else {
            throw OperatorError(
                .invalidInput,
                "Write a time with its offset from UTC, such as 2026-05-01T12:00:00Z, or a length of time such as 24h or 7d."
            )
        }
    }

    func time(at now: Timestamp) -> Timestamp {
        switch self {
        case .time(let time): time
        case .ago(let duration): now - duration
        }
    }
}
