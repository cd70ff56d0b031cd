import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import Synchronization

/// Looks again whether alerts may still be sent, for deliveries that have waited for their turn.
///
/// While one statement runs, the next questions gather: however many deliveries wait, one at a time is asked about them all.
final class TruthCheck: Sendable {
    private typealias Question = (alert: AlertKey, answer: CheckedContinuation<Bool?, Never>)

    private let pool: PostgresPool
    private let patience: Duration
    private let logger: Logger
    /// `nil` when nobody answers any more. Bounded by how much is sent at once.
    private let questions = Mutex<[Question]?>([])
    private let signal = Signal()

    init(pool: PostgresPool, patience: Duration, logger: Logger) {
        self.pool = pool
        self.patience = patience
        self.logger = logger
    }

    /// - Returns: Whether what the alert says holds; `nil` when the database does not tell.
    func holds(_ alert: AlertKey) async -> Bool? {
        await withCheckedContinuation { continuation in
            let isAsked = questions.withLock {
                $0?.append((alert, continuation))
                return $0 != nil
            }
            if isAsked { signal.raise() } else { continuation.resume(returning: nil) }
        }
    }

    /// Answers until `finish`.
    func run() async {
        for await _ in signal { await answerAll() }
        let left = questions.withLock { $0.take() } ?? []
        for question in left { question.answer.resume(returning: nil) }
    }

    /// Nobody asks any more.
    func finish() { signal.finish() }

    private func answerAll() async {
        let asked = questions.withLock { questions in
            defer { if questions != nil { questions = [] } }
            return questions ?? []
        }
        guard !asked.isEmpty else { return }
        let statement = FindTrueAlerts(Array(Set(asked.map(\.alert))))
        var found: Set<AlertKey>?
        do {
            found = Set(
                try await pool.transaction(TransactionOptions(isDurable: false), waitingAtMost: patience) {
                    try $0.execute(statement)
                })
        } catch {
            logger.warning(
                "Deliveries are put off: whether their alerts still hold is not known", [.error: "\(error)"])
        }
        for question in asked { question.answer.resume(returning: found?.contains(question.alert)) }
    }
}
