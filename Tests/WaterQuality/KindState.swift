import Instants
import WaterQuality

/// A watch of a kind without sides, with what its person wants: what tests of such kinds begin with.
struct KindState {
    var episode: Episode?
    var throttle: Throttle?
    var hasRecipient: Bool
    /// Since when the device's readings are the person's.
    var theirsFrom: Timestamp?
    var snooze: Snooze?

    /// - Parameter find: Is given the open episode, and since when the device is the person's.
    func decide(
        _ kind: Alert.Kind, now: Timestamp, policy: AlertPolicy = AlertPolicy(),
        find: (Episode?, Timestamp?) -> Finding
    ) -> Decision {
        WaterQuality.decide(
            find(episode, theirsFrom),
            WatchState(episode: episode, throttles: Throttles(throttle), hasRecipient: hasRecipient), by: kind.rules,
            snoozes: Snoozes(snooze), now: now, newAlert: .new(0), policy: policy)
    }
}

extension Decision {
    var isNothing: Bool { action == .nothing && notification == .none }
}

extension Episode {
    /// Of kind range.
    var worst: Steps? { excursion?.worst }
}
