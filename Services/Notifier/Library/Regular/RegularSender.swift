import Backoff
import Logging
import Postgres
import ServiceKit

/// Has people told what they want to hear regularly: summaries of their water, what is to be done for it, and the notes by which ways show
/// that they work.
///
/// All become deliveries in the database, each once however many notifiers look, a bounded number in a transaction.
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
    /// How many people are told what is due in one transaction, which holds their accounts.
    private static let people: Int32 = 50
    /// How many endpoints are looked at in one transaction, which holds their accounts.
    private static let endpoints: Int32 = 50

    /// Looks until it is cancelled.
    func run() async throws {
        try await keepTrying("telling what is told regularly", logger: logger, isRetriable: Self.isRetriable) {
            (outage: Outage) -> Void in
            try await every(interval) {
                try await sendAll(SendSummaries(limit: Self.summaries), upTo: Self.summaries) {
                    metrics.summaries.increment(by: $0)
                }
                try await sendAll(SendProofs(limit: Self.endpoints), upTo: Self.endpoints) {
                    metrics.proofs.increment(by: $0)
                }
                try await remind()
                outage.end()
            }
        }
    }

    /// Looks at what has come due, tells it, and replaces what somebody has done since.
    private func remind() async throws {
        var isMuch = true
        while isMuch, mayBegin() {
            isMuch = try await pool.transaction { transaction in
                let now = try transaction.execute(ReadClock())[0]
                return try transaction.lookAtReminders(at: now, limit: Self.reminders) >= Self.reminders
            }
            try Task.checkCancellation()
        }
        let now = try await pool.execute(ReadClock())[0]
        try await sendAll(TellCare(now: now, limit: Self.people), upTo: Self.people) {
            metrics.reminders.increment(by: $0)
        }
        try await sendAll(ReplaceCare(now: now, limit: Self.people), upTo: Self.people) { _ in }
    }

    /// A failure here ends no delivery.
    private static func isRetriable(_ error: any Error) -> Bool { !(error is CancellationError) }

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
