import WaterQuality

/// The accounts that have enough on its way: nothing more is leased for them before most of it has ended, since no more of it is sent at
/// once however much there is. Critical alerts are,
/// the first time, for all of it may be on its way to a single host that hangs; what is tried again waits with the rest.
struct HeldAccounts {
    /// An account is held from so many outstanding deliveries on, until no more than `few` are left.
    static let many = 64
    static let few = 32

    /// So many may be outstanding with what is critical.
    static let mostWithUrgent = 2 * many

    private(set) var all: Set<Account.ID> = []
    /// The accounts among them for which critical alerts are leased.
    private(set) var urgent: Set<Account.ID> = []

    /// Looks again.
    /// - Parameter outstanding: How many deliveries of each account are on their way.
    mutating func look(at outstanding: [Account.ID: Int]) {
        all = Set(outstanding.filter { $0.value >= (all.contains($0.key) ? Self.few + 1 : Self.many) }.keys)
        urgent = all.filter { outstanding[$0, default: 0] < Self.mostWithUrgent }
    }

    /// Whether one of them may have more by now.
    func isOver(_ outstanding: [Account.ID: Int]) -> Bool {
        all.contains { outstanding[$0, default: 0] <= Self.few }
    }
}
