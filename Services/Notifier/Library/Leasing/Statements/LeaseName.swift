import Postgres
import Store

/// What no two leases of a delivery have in common, whichever of them a crash of the server has lost.
struct LeaseName: Hashable, Sendable {
    /// Counts the leases of the delivery, not counting those that were lost.
    var number: Int16
    /// Drawn for each lease.
    var draw: Int32

    /// In SQL, for each row anew: any `integer`.
    static let drawn = "(random() * 4294967295 - 2147483648)::integer"
}

extension Parameters {
    /// Two arrays: numbers and draws.
    mutating func append(_ leases: [LeaseName]) {
        append(leases.map(\.number))
        append(leases.map(\.draw))
    }
}
