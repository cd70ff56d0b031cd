import Postgres
import Store

extension Upkeeper {
    /// Forgets what was enrolled an hour ago, and ends what has waited for a day, a few batches in one transaction.
    func forgetEnrolments() async throws {
        while try await pool.execute(ForgetEnrolments(limit: 20)).first ?? 0 > 0 {}
    }
}
