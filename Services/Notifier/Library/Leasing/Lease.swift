import Instants
import Store
import WaterQuality

/// The database's clock, read at a lease and carried on by this process' own: leases, ages and retries all go by it.
struct DatabaseTime: Sendable {
    private let reading: Timestamp
    private let readAt: ContinuousClock.Instant

    init(_ reading: Timestamp, readAt: ContinuousClock.Instant = .now) {
        self.reading = reading
        self.readAt = readAt
    }

    var elapsed: Duration { readAt.duration(to: .now) }
    var now: Timestamp { reading + elapsed }
}

/// Deliveries that this notifier may send for a while, in one message to one endpoint: nearly always one delivery.
struct Lease: Sendable {
    var deliveries: [LeasedDelivery]
    let holder: LeaseHolder
    let time: DatabaseTime
    let host: String

    /// The first, by which it takes its turn.
    var delivery: LeasedDelivery { deliveries[0] }

    /// The alert by which a message about several is known: no other message has the same one among what it tells.
    var name: AlertName {
        deliveries.map(\.alert).min { $0.key.alert < $1.key.alert }?.name ?? delivery.alert.name
    }

    /// The same with a part of its deliveries.
    func of(_ deliveries: [LeasedDelivery]) -> Lease {
        var part = self
        part.deliveries = deliveries
        return part
    }
}

extension LeasedDelivery {
    /// Puts deliveries together that one message tells: those of one group to one endpoint. A machine is told each by itself.
    static func messages(of deliveries: [LeasedDelivery]) -> [[LeasedDelivery]] {
        var messages: [[LeasedDelivery]] = []
        var positions: [GroupKey: Int] = [:]
        for delivery in deliveries {
            guard let group = delivery.group, delivery.channel.known != .webhook else {
                messages.append([delivery])
                continue
            }
            let key = GroupKey(group: group, endpoint: delivery.key.endpoint)
            if let position = positions[key] {
                messages[position].append(delivery)
            } else {
                positions[key] = messages.count
                messages.append([delivery])
            }
        }
        return messages
    }

    private struct GroupKey: Hashable {
        var group: Alert.UID
        var endpoint: Endpoint.ID
    }
}

extension Lease {
    /// The next step of a lease whose turn to be sent has come.
    enum Disposition: Hashable, Sendable {
        case send
        /// The lease may end before the answer comes: left alone, the delivery comes due for any notifier that has time.
        case letExpire
        /// The session of its holder was lost, and others may have it by now: released, it is due at once if they have not.
        case release

        /// - Parameters:
        ///   - holder: Under which number it was leased.
        ///   - current: Under which number this notifier leases now, if it may.
        ///   - elapsed: Since the lease.
        init(
            leasedBy holder: LeaseHolder, current: LeaseHolder?, elapsed: Duration, lease: Duration,
            longestAttempt: Duration
        ) {
            if elapsed + longestAttempt >= lease {
                self = .letExpire
            } else {
                self = holder == current ? .send : .release
            }
        }
    }
}
