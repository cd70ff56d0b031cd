import Instants
import Postgres
import Store
import WaterQuality

/// Names the owner of a page for the rest of a transaction that changes nothing. No row: there is no such page.
struct EnterPublicPage: Statement {
    static let sql =
        "SELECT account, title, parameters, days, limits, devices, titles, begins_at FROM enter_public_page($1)"

    struct Row: Sendable {
        struct Tank: Sendable {
            var device: Device.HardwareID
            var title: String
            /// Readings of before were another's.
            var beginsAt: Timestamp
        }

        var account: Account.ID
        var title: String
        var parameters: ParameterSet
        var days: Int16
        var showsState: Bool
        var tanks: [Tank]
    }

    let hash: [UInt8]
    func bind(_ parameters: inout Parameters) { parameters.append(hash) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (account, title) = try (row.read(Account.ID.self), row.read(String.self))
        let (parameters, days, showsState) = try (
            ParameterSet(rawValue: row.read()), row.read(Int16.self), row.read(Bool.self)
        )
        let (devices, titles) = try (row.read([String].self), row.read([String].self))
        let starts = try row.read([Timestamp].self)
        return Row(
            account: account, title: title, parameters: parameters, days: days, showsState: showsState,
            tanks: zip(zip(devices, titles), starts).compactMap { names, beginsAt in
                Device.HardwareID(names.0).map { Row.Tank(device: $0, title: names.1, beginsAt: beginsAt) }
            })
    }
}
