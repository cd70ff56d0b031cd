import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of what a person is told regularly.
enum SummaryRoutes {
    static let all = [show, set, send]

    private static let show = Route<Caller>(
        .get, "/summary", id: "showSummary", tag: SettingsRoutes.tag, access: .read, "Show what I am told regularly",
        answers: .json(.ok, SummaryState.output)
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            .value(try transaction.summary(of: account))
        }
    }

    private static let rhythm = Input.field(
        "rhythm", .choice(SummaryChoice.Rhythm.self), "How often a summary comes.")
    private static let weekday = Input.field(
        "weekday", .choice(Weekday.self), default: SummaryChoice.standard.weekday, "The day of a weekly summary.")
    private static let at = Input.field(
        "at", Format<Int>.timeOfDay.example("08:00"), default: SummaryChoice.standard.at,
        "The time of day, by the clock of the account's time zone.")
    private static let proofs = Input.field(
        "weeklyNote", .choice(SummaryChoice.Proofs.self), default: SummaryChoice.standard.proofs,
        "Which ways get a quiet note once a week, while nothing else shows that they work.")

    private static let set = Route<Caller>(
        .put, "/summary", id: "setSummary", tag: SettingsRoutes.tag, access: .write, "Choose what I am told regularly",
        text: """
            A summary says how all tanks were on the last whole day, or the last seven: alarms, the least and the greatest value of each \
            parameter that has a limit, and devices without readings. It goes to all endpoints but calls, and but those that are told of \
            nothing but what is critical while another is in use. It never comes in quiet hours, but at their end, after what these held \
            back; twenty hours after the one before at the earliest, also where the time or the zone is changed; and one that could not be \
            sent for six hours is left out. That no endpoint gets the weekly note takes a session in which the password was given lately.
            """,
        inputs: [rhythm, weekday, at, proofs], answers: .json(.ok, SummaryState.output), problems: [.passwordNeeded]
    ) { caller, inputs in
        let choice = SummaryChoice(
            rhythm: inputs[rhythm], weekday: inputs[weekday], at: inputs[at], proofs: inputs[proofs])
        return try await caller.scope.transaction { transaction, account in
            // Without it nobody learns that a way has stopped.
            if choice.proofs == .none, try transaction.summary(of: account).choice.proofs != .none {
                try caller.scope.requireProof(in: transaction)
            }
            _ = try transaction.execute(SetSummary(choice))
            return .value(try transaction.summary(of: account))
        }
    }

    private static let sent = Output<String>.object(
        "SentSummary", "A summary that is on its way.",
        [.member("alert", .text, "The id by which it is found among the alerts.") { $0 }])

    private static let send = Route<Caller>(
        .post, "/summaries", id: "sendSummary", tag: SettingsRoutes.tag, access: .write, "Send me a summary now",
        text:
            "What became of it, and what it says, is told by the alert at Location. At most three in ten minutes, and twenty in a day with those that come by themselves.",
        inputs: [Input<String?>.idempotencyKey], answers: .json(.accepted, sent, headers: [.location]),
        problems: [.noEndpoint, .nothingToSum, .tooManySummaries],
        creates: { caller, _, encoding in
            let uid = Alert.UID.random(at: caller.scope.services.clock.now())
            return try await caller.scope.creation(encoding) { transaction, _ in
                switch try transaction.execute(AskSummary(uid: uid)).first {
                case .added: break
                case .nowhere: throw Problem(.noEndpoint)
                case .nothing: throw Problem(.nothingToSum)
                case .tooMany: throw Problem(.tooManySummaries, retryAfter: .seconds(300))
                case nil: throw Problem(.internalError)
                }
                return .value("\(uid)", headers: [.location: "\(GatewayAPI.base)/alerts/\(uid)"])
            }
        })
}

extension ProblemType {
    fileprivate static let nothingToSum = ProblemType("nothing-to-sum", .conflict)
    fileprivate static let tooManySummaries = ProblemType("too-many-summaries", .tooManyRequests)
}

extension PostgresTransaction {
    fileprivate func summary(of account: Account.ID) throws -> SummaryState {
        guard let state = try execute(ReadSummary(of: account)).first else { throw Problem(.unauthenticated) }
        return state
    }
}
