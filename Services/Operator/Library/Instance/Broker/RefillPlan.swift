import BrokerControl

/// Compares a broker's accounts with the devices of the database.
struct RefillPlan: Equatable, Sendable {
    /// Devices without an account at the broker.
    var missing: [String] = []
    /// Number of devices with an account.
    var present = 0
    /// Accounts of neither devices of the database nor services.
    var strangers: [String] = []
    /// Number of accounts at the broker.
    var known = 0

    /// - Parameters:
    ///   - devices: The database's devices.
    ///   - accounts: The broker's accounts.
    init(devices: [String], accounts: [String]) {
        let (wanted, there) = (Set(devices), Set(accounts))
        missing = wanted.subtracting(there).sorted()
        present = wanted.count - missing.count
        strangers = there.subtracting(wanted).filter { !DynamicSecurity.isService($0) }.sorted()
        known = there.count
    }

    /// The changes in words, for people.
    func changes(removing: Bool) -> String {
        "\(missing.count) accounts to add" + (removing ? " and \(strangers.count) to remove" : "")
    }

    /// Number of accounts that the plugin would write: it writes all of them again for each change.
    func writes(removing: Bool) -> Int {
        (missing.count + (removing ? strangers.count : 0)) * (known + missing.count)
    }
}
