import Backoff
import Logging
import Postgres
import ServiceKit

/// Has people told what they want to hear regularly: summaries of their water, what is to be done for it, and the notes by which ways show
/// that they work.
///
/// All become deliveries in the database, each once however many notifiers look, a bounded number in a transaction; reminders, which people
/// tick when they come, a person's in each. Each kind fails by itself: the others go on meanwhile.
struct RegularSender: Sendable {
    let pool: PostgresPool
    let interval: Duration
    let metrics: NotifierMetrics
    let logger: Logger
    /// Whether the database is known to be of this version.
    let mayBegin: @Sendable () -> Bool

    /// How many people's summaries are made in one transaction, which holds their accounts: each is a look at the hours of twelve tanks.
    private static let summaries: Int32 = 20
    /// How many reminders are looked at in one transaction, which holds them.
    private static let reminders: Int32 = 100
    /// How many endpoints are looked at in one transaction, which holds their accounts.
    private static let endpoints: Int32 = 50

    /// Looks until it is cancelled.
    func run() async throws {
        let summaries = OutageLog(subject: "sending summaries", logger: logger)
        let proofs = OutageLog(subject: "sending proofs of ways", logger: logger)
        let looks = OutageLog(subject: "looking at reminders", logger: logger)
        let tellings = OutageLog(subject: "telling reminders", logger: logger)
        let replacements = OutageLog(subject: "replacing reminders", logger: logger)
        try await every(interval) {
            try await attempt(summaries) {
                try await sendAll(SendSummaries(limit: Self.summaries), upTo: Self.summaries) {
                    metrics.summaries.increment(by: $0)
                }
            }
            try await attempt(proofs) {
                try await sendAll(SendProofs(limit: Self.endpoints), upTo: Self.endpoints) {
                    metrics.proofs.increment(by: $0)
                }
            }
            try await attempt(looks) { try await lookAtReminders() }
            try await attempt(tellings) {
                let now = try await pool.execute(ReadClock())[0]
                if mayBegin() { _ = try await pool.execute(TellCareAgain(now: now)) }
                try await sendAll(TellCare(now: now), upTo: 1) {
                    metrics.reminders.increment(by: $0)
                }
            }
            try await attempt(replacements) {
                let now = try await pool.execute(ReadClock())[0]
                try await sendAll(ReplaceCare(now: now), upTo: 1) { _ in }
            }
        }
    }

    /// Sends what is of one kind; where that fails, the next turn tries again. A failure here ends no delivery.
    private func attempt(_ log: OutageLog, _ send: () async throws -> Void) async throws {
        do {
            try await send()
            log.succeeded()
        } catch let error where !(error is CancellationError) {
            try Task.checkCancellation()
            log.failed(error)
        }
    }

    /// Looks at what has come due. Where that fails, one by one: a reminder that cannot be looked at is set back, and holds up no other.
    private func lookAtReminders() async throws {
        var limit = Self.reminders
        while mayBegin() {
            let now = try await pool.execute(ReadClock())[0]
            do {
                let count = try await pool.transaction { [limit] in try $0.lookAtReminders(at: now, limit: limit) }
                guard count >= limit else { return }
            } catch let error where !(error is CancellationError) && !PostgresError.isRetriable(error) {
                if limit == 1 {
                    logger.error("A reminder cannot be looked at and is set back", [.error: "\(error)"])
                    _ = try await pool.execute(SetBackReminder(dueBy: now))
                }
                limit = 1
            }
            try Task.checkCancellation()
        }
    }

    /// Goes on as long as a turn is a full one.
    private func sendAll<Turn: Statement>(
        _ statement: Turn, upTo limit: Int32, _ count: (Int) -> Void
    ) async throws where Turn.Row == RegularTurn? {
        while mayBegin(), let turn = try await pool.execute(statement).first.flatMap(\.self) {
            count(Int(turn.sent))
            guard turn.due >= limit else { return }
            try Task.checkCancellation()
        }
    }
}
