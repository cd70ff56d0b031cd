import Instants
import ServiceKit
import WaterQuality

/// What `--since` says: a time, or so long ago.
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
