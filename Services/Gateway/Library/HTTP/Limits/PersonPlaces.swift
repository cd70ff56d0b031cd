import Synchronization
import WaterQuality

/// Places for what takes memory or time while it runs: so many of one person, and so many in all.
final class PersonPlaces: Sendable {
    private let most: Int
    private let mostOfPerson: Int
    private let taken = Mutex<[Account.ID: Int]>([:])

    init(most: Int = .max, ofPerson mostOfPerson: Int) {
        self.most = most
        self.mostOfPerson = mostOfPerson
    }

    enum Refusal: Error {
        /// The person has as many as they may have.
        case person
        case all
    }

    func begin(_ account: Account.ID) throws(Refusal) -> Place {
        let refusal: Refusal? = taken.withLock { taken in
            guard taken[account] ?? 0 < mostOfPerson else { return .person }
            guard taken.values.reduce(0, +) < most else { return .all }
            taken[account, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
        return Place(account, self)
    }

    /// A place, which ends with its last reference, whether or not an answer was ever written.
    final class Place: Sendable {
        private let account: Account.ID
        private let places: PersonPlaces

        fileprivate init(_ account: Account.ID, _ places: PersonPlaces) {
            self.account = account
            self.places = places
        }

        deinit {
            places.taken.withLock { taken in taken[account] = taken[account].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
    }
}
