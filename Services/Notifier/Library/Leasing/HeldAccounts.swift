import WaterQuality

/// The accounts that have enough on its way: nothing more is leased for them before most of it has ended, since no more of it is sent at
/// once however much there is.
struct HeldAccounts {
    /// An account is held from so many outstanding deliveries on, until no more than `few` are left.
    static let many = 64
    static let few = 32

    private(set) var all: Set<Account.ID> = []

    /// Looks again.
    /// - Parameter outstanding: How many deliveries of each account are on their way.
    mutating func look(at outstanding: [Account.ID: Int]) {
        all = Set(outstanding.filter { $0.value >= (all.contains($0.key) ? Self.few + 1 : Self.many) }.keys)
    }

    /// Whether one of them may have more by now.
    func isOver(_ outstanding: [Account.ID: Int]) -> Bool {
        all.contains { outstanding[$0, default: 0] <= Self.few }
    }
}
