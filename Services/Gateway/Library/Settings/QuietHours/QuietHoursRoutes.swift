import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of a person's quiet hours.
enum QuietHoursRoutes {
    static let all = [show, set, remove]

    private static let show = Route<Caller>(
        .get, "/quiet-hours", id: "showQuietHours", tag: SettingsRoutes.tag, access: .read, "Show my quiet hours",
        answers: .json(.ok, QuietHoursState.output)
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            .value(try transaction.quietHours(of: account))
        }
    }

    private static let from = Input.field(
        "from", .timeOfDay, "When they begin, by the clock of the account's time zone.")
    private static let until = Input.field(
        "until", Format<Int>.timeOfDay.example("07:00"), "When they end: the next day where that is earlier.")
    private static let days = Input.field(
        "days", .list(of: .choice(Weekday.self), count: 1...7),
        "The days on whose evening they begin: the night from Monday to Tuesday is Monday's.")
    private static let silenceRings = Input.field(
        "silenceRings", .boolean, default: true, "Whether the silence of a whole device is told all the same.")

    private static let set = Route<Caller>(
        .put, "/quiet-hours", id: "setQuietHours", tag: SettingsRoutes.tag, access: .write, "Set my quiet hours",
        text: """
            While they are on, what is not beyond a critical limit is told at once to endpoints alone that do not heed them, webhooks among \
            them. The others are told in one message when they end: what goes on, and what was over. They are right across changes of \
            clocks and of the account's time zone.
            """,
        inputs: [from, until, days, silenceRings], answers: .json(.ok, QuietHoursState.output)
    ) { caller, inputs in
        let hours = QuietHours(
            from: inputs[from], until: inputs[until], days: Set(inputs[days]), silenceRings: inputs[silenceRings])
        guard hours.from != hours.until else { throw Problem(Self.until, .noLength) }
        return try await caller.scope.transaction { transaction, account in
            _ = try transaction.execute(SetQuietHours(hours))
            return .value(try transaction.quietHours(of: account))
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/quiet-hours", id: "removeQuietHours", tag: SettingsRoutes.tag, access: .write,
        "Have no quiet hours",
        text: "What they held back is told at once.", answers: .nothing
    ) { caller, _ in
        try await caller.scope.transaction { transaction, _ in
            _ = try transaction.execute(RemoveQuietHours())
        }
        return .nothing
    }
}

extension Fault {
    fileprivate static let noLength = Fault("no-length")
}

extension PostgresTransaction {
    fileprivate func quietHours(of account: Account.ID) throws -> QuietHoursState {
        guard let state = try execute(ReadQuietHours(of: account)).first else { throw Problem(.unauthenticated) }
        return state
    }
}
