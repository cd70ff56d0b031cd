package import Instants

/// The time that a message states for its readings, in whichever way its firmware writes it; not yet judged.
package enum StatedTime: Hashable, Sendable {
    /// None: the readings are of their receipt.
    case receipt
    case at(Timestamp)
    /// So long before the receipt.
    case ago(Duration)
    /// One that names no instant.
    case unreadable

    /// A number of seconds since 1970, or of the milliseconds, microseconds or nanoseconds that firmware writes as well.
    package init(epoch number: Double) {
        self = Timestamp(epoch: number).map(Self.at) ?? .unreadable
    }

    /// ISO 8601 with an offset, or a number as above.
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
