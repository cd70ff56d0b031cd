/// An event that a listener hands to its consumer.
package enum PostgresEvent: Hashable, Sendable {
    /// Listening has begun, or begun again: earlier notifications may have been missed, so the consumer looks at the
    /// tables.
    case mayHaveMissed
    case notified(channel: String, payload: String)
    /// More payloads came than the queue keeps: the consumer has to look at everything that this channel covers.
    case overflow(channel: String)
}

/// Notifications that the consumer has not taken yet, at most `limit` payloads for each channel.
///
/// A payload that equals a waiting one is dropped; beyond the limit a channel replaces its payloads by one `overflow`.
struct EventQueue {
    private struct Channel {
        let name: String
        var payloads: [String] = []
        var isOverflowing = false
        var isEmpty: Bool { payloads.isEmpty && !isOverflowing }
    }

    private let limit: Int
    private var mayHaveMissed = false
    private var channels: [Channel]

    init(channels: [String], limit: Int) {
        self.limit = limit
        self.channels = channels.map { Channel(name: $0) }
    }

    mutating func noteReconnect() {
        mayHaveMissed = true
    }

    /// Adds a notification; unknown channels are ignored.
    mutating func insert(channel name: String, payload: String) {
        guard let index = channels.firstIndex(where: { $0.name == name }), !channels[index].isOverflowing,
            !channels[index].payloads.contains(payload)
        else { return }
        if channels[index].payloads.count < limit {
            channels[index].payloads.append(payload)
        } else {
            channels[index].payloads = []
            channels[index].isOverflowing = true
        }
    }

    /// The next event. Channels take turns, so that a busy one does not starve the others.
    mutating func next() -> PostgresEvent? {
        if mayHaveMissed {
            mayHaveMissed = false
            return .mayHaveMissed
        }
        guard let index = channels.firstIndex(where: { !$0.isEmpty }) else { return nil }
        var channel = channels.remove(at: index)
        defer { channels.append(channel) }
        if channel.isOverflowing {
            channel.isOverflowing = false
            return .overflow(channel: channel.name)
        }
        return .notified(channel: channel.name, payload: channel.payloads.removeFirst())
    }
}
