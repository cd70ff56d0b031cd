/// Decides whose turn it is at a few places that people share: the next goes to the person who has waited through most
/// turns of others, however many requests each has. Pure; `Person` is what counts as one, `Waiter` whatever is resumed.
struct FairTurns<Person: Hashable, Waiter> {
    /// Places in all, and of one person.
    let places: Int
    let placesOfPerson: Int
    private var running: [Person: Int] = [:]
    private var waiting: [Person: [(number: UInt64, waiter: Waiter)]] = [:]
    /// People who wait, in the order of their turns.
    private var order: [Person] = []
    private var taken = 0

    init(places: Int, placesOfPerson: Int) {
        self.places = places
        self.placesOfPerson = placesOfPerson
    }

    /// The number of waiters.
    var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// - Returns: Whether there is a place now; otherwise the waiter is kept.
    mutating func enter(_ person: Person, number: UInt64, waiter: @autoclosure () -> Waiter) -> Bool {
        if taken < places, running[person] ?? 0 < placesOfPerson {
            take(person)
            return true
        }
        if waiting[person] == nil { order.append(person) }
        waiting[person, default: []].append((number, waiter()))
        return false
    }

    /// Frees a place.
    /// - Returns: The waiter that gets it.
    mutating func leave(_ person: Person) -> Waiter? {
        taken -= 1
        running[person] = running[person].flatMap { $0 > 1 ? $0 - 1 : nil }
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
    mutating func withdraw(_ person: Person, number: UInt64) -> Waiter? {
        guard let index = waiting[person]?.firstIndex(where: { $0.number == number }) else { return nil }
        let waiter = waiting[person]?.remove(at: index).waiter
        if waiting[person]?.isEmpty == true {
            waiting[person] = nil
            order.removeAll { $0 == person }
        }
        return waiter
    }

    private mutating func take(_ person: Person) {
        taken += 1
        running[person, default: 0] += 1
    }
}
