import WaterQuality

/// Decides whose turn it is at a few places that people share: the next goes to the person who has waited through most
/// turns of others, however many requests each has. Pure; `Waiter` is whatever is resumed.
struct FairTurns<Waiter> {
    /// Places in all, and of one person.
    let places: Int
    let placesOfPerson: Int
    private var running: [Account.ID: Int] = [:]
    private var waiting: [Account.ID: [(number: UInt64, waiter: Waiter)]] = [:]
    /// People who wait, in the order of their turns.
    private var order: [Account.ID] = []
    private var taken = 0

    init(places: Int, placesOfPerson: Int) {
        self.places = places
        self.placesOfPerson = placesOfPerson
    }

    /// The number of waiters.
    var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// - Returns: Whether there is a place now; otherwise the waiter is kept.
    mutating func enter(_ account: Account.ID, number: UInt64, waiter: @autoclosure () -> Waiter) -> Bool {
        if taken < places, running[account] ?? 0 < placesOfPerson {
            take(account)
            return true
        }
        if waiting[account] == nil { order.append(account) }
        waiting[account, default: []].append((number, waiter()))
        return false
    }

    /// Frees a place.
    /// - Returns: The waiter that gets it.
    mutating func leave(_ account: Account.ID) -> Waiter? {
        taken -= 1
        running[account] = running[account].flatMap { $0 > 1 ? $0 - 1 : nil }
        guard let index = order.firstIndex(where: { running[$0] ?? 0 < placesOfPerson }) else { return nil }
        let next = order.remove(at: index)
        guard let waiter = waiting[next]?.removeFirst().waiter else { return nil }
        if waiting[next]?.isEmpty == true {
            waiting[next] = nil
        } else {
            order.append(next)
        }
        take(next)
        return waiter
    }

    /// - Returns: The waiter if it still waits.
    mutating func withdraw(_ account: Account.ID, number: UInt64) -> Waiter? {
        guard let index = waiting[account]?.firstIndex(where: { $0.number == number }) else { return nil }
        let waiter = waiting[account]?.remove(at: index).waiter
        if waiting[account]?.isEmpty == true {
            waiting[account] = nil
            order.removeAll { $0 == account }
        }
        return waiter
    }

    private mutating func take(_ account: Account.ID) {
        taken += 1
        running[account, default: 0] += 1
    }
}
