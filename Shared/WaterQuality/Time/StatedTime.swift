package import Instants

/// The time that a message states for its readings, in any of firmware's forms; not yet judged.
package enum StatedTime: Hashable, Sendable {
    /// No time: the receipt counts.
    case receipt
    case at(Timestamp)
    /// A duration before the receipt.
    case ago(Duration)
    /// A time that names no instant.
    case unreadable

    /// Reads a number since 1970 in seconds, or in milliseconds, microseconds or nanoseconds, which firmware sends as
    /// well.
    package init(epoch number: Double) {
        self = Timestamp(epoch: number).map(Self.at) ?? .unreadable
    }

    /// Reads ISO 8601 with an offset, or a number as above.
    package init(_ text: String) {
        if let time = Timestamp(text) {
            self = .at(time)
        } else if text.utf8.allSatisfy({ $0 < UInt8(ascii: "A") }), let number = Double(text) {
            self.init(epoch: number)
        } else {
            self = .unreadable
        }
    }

    package var isAgo: Bool { if case .ago = self { true } else { false } }
}
