import Postgres
import Store

extension Upkeeper {
    /// Ends memberships in projects whose time is over, each in a transaction of its own: engines wait for it.
    func endMemberships() async throws {
        while try await pool.execute(EndMemberships(limit: 1)).first ?? 0 > 0 {}
    }
}
