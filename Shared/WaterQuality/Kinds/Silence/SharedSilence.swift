package import Instants

/// The silence of devices of one owner whose power or network has failed: they fall silent at once. Pure; times are of receipts, by the database's
/// clock.
package struct SharedSilence: Hashable, Sendable {
    /// A device as it was heard last.
    package struct Heard: Hashable, Sendable {
        package var at: Timestamp
        /// The longest pause that recurs; zero for a device that makes none to speak of.
        package var usual: Duration
        /// The time for which nothing may come after a reading (`Rhythm.allowance`).
        package var allowance: Duration

        package init(at time: Timestamp, usual: Duration, allowance: Duration) {
            at = time
            self.usual = usual
            self.allowance = allowance
        }
    }

    /// The number of devices that were heard when it began, the silent ones included.
    package var of: Int
    /// Until when others may be found to have fallen silent with it, so that one message tells of all.
    package var settlesAt: Timestamp

    package init(of: Int, settlesAt: Timestamp) {
        self.of = of
        self.settlesAt = settlesAt
    }

    /// Fewer devices may fall silent at once by chance.
    package static let fewest = 3
    /// The longest time between the last readings of devices that were cut off at once, beside the pauses that they make anyway; and how long the
    /// first that is found waits for the others.
    package static let together = Duration.seconds(3 * 60)
    /// Looks at devices follow each other every few seconds, and one may be passed over once while its slot is taken.
    private static let looks = Duration.seconds(15)

    /// Judges whether a device that is silent fell silent together with others: at least three, and two thirds of those that tell. One whose next reading
    /// is not due yet tells nothing, and neither does one that was silent before.
    /// - Parameters:
    ///   - others: The other devices of the same owner that the person has.
    ///   - listeningSince: Since when we have listened without a break.
    package static func judge(
        _ device: Heard, among others: [Heard], listeningSince: Timestamp, now: Timestamp, policy: AlertPolicy
    ) -> SharedSilence? {
        var (heard, telling, silent) = (1, 1, 1)
        var last = now
        for other in others where other.at + other.allowance > device.at {
            heard += 1
            let overdue = max(other.usual * 2, Hearing.shortestPause(policy.silenceAfter))
            guard now - max(other.at, listeningSince) > overdue else {
                if other.at > device.at + together { telling += 1 }
                continue
            }
            telling += 1
            let apart = max(other.at, device.at) - min(other.at, device.at)
            guard apart <= together + max(device.usual, other.usual) else { continue }
            silent += 1
            last = max(last, Hearing.due(heardAt: other.at, allowance: other.allowance, listeningSince: listeningSince))
        }
        guard silent >= fewest, silent * 3 >= telling * 2 else { return nil }
        return SharedSilence(of: heard, settlesAt: min(last, now + together) + looks)
    }

    /// Until when the reminders of devices are one message that were told of together: each comes due with its own alarm, and is found within a minute.
    package static func remindersSettle(after now: Timestamp) -> Timestamp { now + together + .seconds(75) }

    /// The answer to a device that is heard again and fell silent with others.
    package enum Return: Hashable, Sendable {
        /// Told now, in one message with what follows until then.
        case told(settlesAt: Timestamp)
        /// Looked at again then: others may follow.
        case awaitsOthers(Timestamp)

        /// - Parameters:
        ///   - closedAt: When the device was heard again.
        ///   - missing: How many of the others are still silent.
        ///   - isTelling: Whether a message about others that came back is on its way.
        package static func decide(closedAt: Timestamp, missing: Int, isTelling: Bool, now: Timestamp) -> Return {
            let patience = min(closedAt, now) + together
            if missing == 0 || isTelling || now >= patience { return .told(settlesAt: now + looks + .seconds(5)) }
            return .awaitsOthers(min(patience, now + looks))
        }
    }
}
