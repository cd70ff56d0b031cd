import Secrets
import Store

/// Which keys the devices' passwords and claim codes were made with.
struct KeyUses: Sendable {
    private let rows: [CountKeyUses.Row]

    init(_ rows: [CountKeyUses.Row]) { self.rows = rows }

    /// How many devices without an owner have a claim code that was not made with this key. One from before there could be
    /// several keys was made with the oldest, which is this one when there is no other.
    func claimCodes(notUnder newest: KeyID, isOnly: Bool) -> Int {
        count { row in
            guard let id = row.claimKeyID else { return !isOnly }
            return id != CountKeyUses.noClaimCode && id != "\(newest)"
        }
    }

    /// How many devices have a password that comes from none of these master keys, and one of them.
    func passwords(underNoneOf keys: [KeyID]) -> (count: Int, example: String)? {
        let known = Set(keys.map(\.description))
        return some(whose: { $0.map { !known.contains($0) } ?? false })
    }

    /// How many devices have a password that comes from another master key than this one, and one of them.
    func passwords(notUnder newest: KeyID) -> (count: Int, example: String)? {
        some(whose: { $0 != "\(newest)" })
    }

    private func some(whose matches: (String?) -> Bool) -> (count: Int, example: String)? {
        let found = rows.filter { matches($0.keyID) }
        return found.first.map { (found.reduce(0) { $0 + Int($1.devices) }, $0.example) }
    }

    private func count(_ matches: (CountKeyUses.Row) -> Bool) -> Int {
        rows.filter(matches).reduce(0) { $0 + Int($1.devices) }
    }
}
