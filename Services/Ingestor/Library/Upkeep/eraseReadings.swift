import Postgres
import ServiceKit
import Store

extension Upkeeper {
    /// Rows erased per transaction.
    private static let readingsAtOnce: Int32 = 5_000

    /// Erases the readings of people who closed their accounts, bit by bit, until none is left.
    func eraseReadings() async throws {
        while let count = try await pool.execute(EraseReadings(limit: Self.readingsAtOnce)).first ?? nil {
            metrics.erased.increment(by: Int(count))
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
