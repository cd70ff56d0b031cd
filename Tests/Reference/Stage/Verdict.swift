/// The results that the rules require, compared with the services' results, for one course.
struct Verdict: Sendable {
    let plan: Plan
    private(set) var differences: [String] = []
    private(set) var changes = 0
    private(set) var messages = 0

    init(_ plan: Plan) { self.plan = plan }

    /// Everybody who had the device, before the hand-over or after.
    var watches: [Watch] { Set(plan.model.watches.keys).union(plan.model.former.keys).sorted() }

    private func expected(_ watch: Watch) -> WatchModel? { plan.model.watches[watch] ?? plan.model.former[watch] }

    mutating func compare(
        _ watch: Watch, _ transitions: [FoundTransition], _ messages: [Receivers.Message],
        _ courseTime: (Int) -> Int
    ) {
        guard let model = expected(watch) else { return }
        for (kind, asked, alerts) in [
            ("range", model.transitions, model.log.alerts),
            ("fault", model.probe.transitions, model.probe.log.alerts),
        ] {
            let found = transitions.filter { $0.kind == kind }.map { found in
                Self.words(found.reason, found.side, courseTime(found.time), found.notification)
            }
            changes += asked.count
            compare(
                watch, "change of \(kind)",
                asked.map { Self.words($0.reason, $0.side, $0.time, $0.notification) }, found)
            compare(
                watch, kind, alerts.filter { $0.state == .delivered }, messages.filter { $0.kind == kind }, courseTime)
        }
    }

    private mutating func compare(
        _ watch: Watch, _ kind: String, _ wanted: [ExpectedAlert], _ messages: [Receivers.Message],
        _ courseTime: (Int) -> Int
    ) {
        self.messages += wanted.count
        for index in 0..<max(wanted.count, messages.count) {
            let one = index < wanted.count ? wanted[index] : nil
            let other = index < messages.count ? messages[index] : nil
            if let one, let other, fits(one, other, watch, other.time.map(courseTime)) { continue }
            differences.append(
                "\(watch): message \(index + 1) of \(kind): expected \(one.map { words($0, watch) } ?? "none"), "
                    + "came \(other.map { Self.words($0, $0.time.map(courseTime)) } ?? "none")")
            return
        }
    }

    private mutating func compare(_ watch: Watch, _ what: String, _ asked: [String], _ found: [String]) {
        for index in 0..<max(asked.count, found.count) {
            let one = index < asked.count ? asked[index] : "none"
            let other = index < found.count ? found[index] : "none"
            guard one != other else { continue }
            differences.append("\(watch): \(what) \(index + 1): expected \(one), found \(other)")
            return
        }
    }

    private func fits(
        _ alert: ExpectedAlert, _ message: Receivers.Message, _ watch: Watch, _ time: Int?
    ) -> Bool {
        guard alert.purpose == message.purpose, alert.side == message.side else { return false }
        if ["recovery", "ended"].contains(alert.purpose) || alert.side == nil { return true }
        guard alert.isUnstable == message.isUnstable, let time, alert.times.contains(time),
            let value = value(watch, at: time), message.value == Double(value) / 10
        else { return false }
        // Whatever replaced its text while it was pending may be of another time of day.
        let limits = alert.times.map { time in
            alert.side.flatMap { alert.limits.held(at: time).limit(beyond: $0, isCritical: alert.isCritical) }
        }
        return message.isCritical == alert.isCritical
            && limits.contains { message.limit == $0.map { Double($0) / 10 } }
    }

    /// The value of a reading in steps.
    private func value(_ watch: Watch, at time: Int) -> Int? {
        for reading in plan.course.readings where reading.time == time {
            if case .water(let hundredths)? = reading.values[watch.quantity] { return steps(hundredths) }
        }
        return nil
    }

    // MARK: Words

    private static func word(_ side: Side?) -> String { side?.rawValue ?? "fault" }

    private static func words(_ reason: String, _ side: Side?, _ time: Int, _ notification: String) -> String {
        reason == "unlinked"
            ? "\(reason) \(word(side))" : "\(reason) \(word(side)) at \(seconds(time)), \(notification)"
    }

    private func words(_ alert: ExpectedAlert, _ watch: Watch) -> String {
        let value = value(watch, at: alert.cause).map { " of \(decimal($0 * 10))" } ?? ""
        return "\(alert.purpose) \(Self.word(alert.side))\(value) at \(seconds(alert.cause))"
            + (alert.isCritical ? ", critical" : "") + (alert.isUnstable ? ", unstable" : "")
            + (alert.times.count > 1 ? " or later" : "")
    }

    private static func words(_ message: Receivers.Message, _ time: Int?) -> String {
        "\(message.purpose) \(word(message.side))" + (message.value.map { " of \($0)" } ?? "")
            + (message.limit.map { " beyond \($0)" } ?? "") + " at \(time.map(seconds) ?? message.eventTime)"
            + (message.isCritical ? ", critical" : "") + (message.isUnstable ? ", unstable" : "")
    }
}
