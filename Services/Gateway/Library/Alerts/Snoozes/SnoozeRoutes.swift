import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of snoozes and acknowledgements.
enum SnoozeRoutes {
    static let tag = AlertRoutes.tag.name

    static let all = [list, snooze, acknowledge, cancel]

    private static let list = Route<Caller>(
        .get, "/snoozes", id: "listSnoozes", tag: tag, access: .read, "List what is snoozed or acknowledged now",
        text: "An acknowledgement is listed while its episode is open.",
        answers: .json(.ok, .list(of: ShownSnooze.output))
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            .value(try transaction.execute(ListSnoozes(of: account)).map(ShownSnooze.init))
        }
    }

    private static let minutes = Input.optionalField(
        "minutes", .integer(1...Int(Snooze.bounds.upperBound.components.seconds / 60)).example(30), "For how long.")
    private static let until = Input.optionalField(
        "until", .timestamp, "Until when instead: a week ahead at most, by the service's clock.")

    private static let snooze = Route<Caller>(
        .post, "/alerts/{alert}/snooze", id: "snoozeAlert", tag: tag, access: .write, "Snooze what an alert is about",
        text: """
            Until then no alarm and no reminder comes for this side of the device's parameter, whatever the water does there; \
            or of this silence, fault, fast change or trend towards a limit. The other side alerts, and a value beyond a critical limit. It is the person's own: others who \
            watch the device are alerted. It takes the place of a snooze or an acknowledgement before it.
            """,
        inputs: [AlertInputs.alert, minutes, until], answers: .json(.ok, ShownSnooze.output),
        problems: [.notFound, .nothingToSnooze]
    ) { caller, inputs in
        let (reference, minutes, until) = (inputs[AlertInputs.alert], inputs[minutes], inputs[until])
        return try await caller.scope.transaction { transaction, account in
            let subject = try transaction.snoozed(by: reference, account)
            let now = try transaction.execute(ReadClock())[0]
            let end = try end(minutes: minutes, until: until, now: now)
            try transaction.setSnooze(subject.key, at: now, until: end)
            return .value(ShownSnooze(subject, Snooze(setAt: now, until: end)))
        }
    }

    private static func end(minutes: Int?, until: Timestamp?, now: Timestamp) throws(Problem) -> Timestamp {
        switch (minutes, until) {
        case (let minutes?, nil): return now + .seconds(Int64(minutes) * 60)
        case (nil, let until?):
            guard Snooze.bounds.contains(until - now) else { throw Problem(Self.until, .notWithinAWeek) }
            return until
        default: throw Problem(Self.minutes, .minutesOrUntil)
        }
    }

    private static let acknowledge = Route<Caller>(
        .post, "/alerts/{alert}/acknowledge", id: "acknowledgeAlert", tag: tag, access: .write,
        "Acknowledge what an alert is about",
        text: """
            \u{201C}I know\u{201D}: no reminder comes of what goes on until it is over; then the next alarm comes as ever. \
            Water that is out of range for a day is told again. Otherwise like a snooze.
            """,
        inputs: [AlertInputs.alert], answers: .json(.ok, ShownSnooze.output),
        problems: [.notFound, .nothingToSnooze, .episodeOver]
    ) { caller, inputs in
        let reference = inputs[AlertInputs.alert]
        return try await caller.scope.transaction { transaction, account in
            let subject = try transaction.snoozed(by: reference, account)
            let now = try transaction.execute(ReadClock())[0]
            guard let episode = try transaction.execute(FindOpenEpisode(subject.key)).first else {
                throw Problem(.episodeOver)
            }
            let end = now + subject.key.kind.rules.longestAcknowledgement
            try transaction.setSnooze(subject.key, acknowledging: episode, at: now, until: end)
            return .value(ShownSnooze(subject, Snooze(setAt: now, until: end, isAcknowledgement: true)))
        }
    }

    private static let cancel = Route<Caller>(
        .delete, "/alerts/{alert}/snooze", id: "cancelSnooze", tag: tag, access: .write,
        "Cancel the snooze or the acknowledgement of what an alert is about",
        text: "What goes on reminds with the next reading, unless the last alert was too recent.",
        inputs: [AlertInputs.alert], answers: .nothing, problems: [.notFound, .nothingToSnooze]
    ) { caller, inputs in
        let reference = inputs[AlertInputs.alert]
        return try await caller.scope.transaction { transaction, account in
            try transaction.perform(EndSnooze(try transaction.snoozed(by: reference, account).key))
            return .nothing
        }
    }
}

/// The subject of an alert, as it can be snoozed.
struct SnoozeSubject: Sendable {
    let hardwareID: String
    let key: SnoozeKey
}

extension PostgresTransaction {
    /// The subject of one of the person's alerts. Their part in its device is locked until the end of the transaction.
    /// - Throws: `Problem`: `notFound` also where the device is not theirs any more.
    fileprivate func snoozed(by reference: AlertReference, _ account: Account.ID) throws -> SnoozeSubject {
        guard let alert = try self.alert(reference, of: account) else { throw Problem(.notFound) }
        return try snoozed(alert, account)
    }

    /// The same of an alert that was read.
    func snoozed(_ alert: StoredAlert, _ account: Account.ID) throws -> SnoozeSubject {
        guard alert.isAnswerable, let text = alert.device, let id = Device.HardwareID(text) else {
            throw Problem(.nothingToSnooze)
        }
        let owned = try lockDevice(id, of: account)
        guard let key = alert.subject(of: owned.device, account) else { throw Problem(.nothingToSnooze) }
        return SnoozeSubject(hardwareID: text, key: key)
    }
}

extension StoredAlert {
    /// Whether there is something to be on, or to hear nothing of: a test is nothing, nor is what this version cannot name. Without its
    /// parameter it would be the whole device.
    var isAnswerable: Bool {
        if case .other = content { return false }
        return device != nil && kind.known.map { $0 != .test } ?? false
    }

    func subject(of device: DeviceKey, _ account: Account.ID) -> SnoozeKey? {
        guard isAnswerable, let kind = kind.known else { return nil }
        return SnoozeKey(
            device: device, account: account, kind: kind, parameter: content.parameter, side: content.range?.side)
    }
}

extension ProblemType {
    static let nothingToSnooze = ProblemType("nothing-to-snooze", .unprocessableContent)
    static let episodeOver = ProblemType("episode-over", .conflict)
}

extension Fault {
    fileprivate static let minutesOrUntil = Fault("minutes-or-until")
    fileprivate static let notWithinAWeek = Fault("not-within-a-week")
}
