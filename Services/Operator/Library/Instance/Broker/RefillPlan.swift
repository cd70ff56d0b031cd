import BrokerControl

/// What a broker lacks of the devices' accounts, and what it has beside them.
struct RefillPlan: Equatable, Sendable {
    /// Devices without an account there.
    var missing: [String] = []
    /// How many devices have one.
    var present = 0
    /// Accounts that are no devices of the database, nor services.
    var strangers: [String] = []
    /// All accounts there are.
    var known = 0

    /// - Parameters:
    ///   - devices: Those of the database.
    ///   - accounts: Those of the broker.
    init(devices: [String], accounts: [String]) {
        let (wanted, there) = (Set(devices), Set(accounts))
        missing = wanted.subtracting(there).sorted()
        present = wanted.count - missing.count
        strangers = there.subtracting(wanted).filter { !$0.hasPrefix(DynamicSecurity.reservedPrefix) }.sorted()
        known = there.count
    }

    /// What would change, for people.
    func changes(removing: Bool) -> String {
        "\(missing.count) accounts to add" + (removing ? " and \(strangers.count) to remove" : "")
    }

    /// How many accounts the plugin would write: it writes all of them again for each that changes.
    func writes(removing: Bool) -> Int {
        (missing.count + (removing ? strangers.count : 0)) * (known + missing.count)
    }

    /// Beyond it a broker that runs would do little else for minutes: a thousand accounts at an empty one, or a hundred at one with ten
    /// thousand.
    static let mostWrites = 1_000_000
}
