import Instants

/// The last alert of a side, and the event time of the reading that caused it.
struct Charge {
    var alert: PastAlert?
    var time: Timestamp

    func throttle(at now: Timestamp, after allClear: PastAlert?) -> Throttle? {
        if let allClear, alert.map({ $0.id < allClear.id }) ?? (time < allClear.eventTime) { return nil }
        guard let alert else { return Throttle(runsFrom: time, pending: nil) }
        return alert.throttle(charged: time, at: now)
    }
}
