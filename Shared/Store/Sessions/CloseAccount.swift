package import Postgres
package import WaterQuality

/// Closes an account: nothing of the person remains, and nothing of others is lost. Devices that the person still owns
/// get claim codes that nobody knows. False if there is no such account.
package struct CloseAccount: Statement {
    package static let sql = "SELECT close_account($1)"
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// A person's own devices, which have claim codes, in the order in which they are locked.
package struct ListOwnedDevices: Statement {
    package static let sql = """
        SELECT d.slot, d.device_id, d.hardware_id FROM ownership o
        JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        WHERE o.account_id = $1 AND o.unlinked_at IS NULL AND o.role = 'owner' AND d.kind = 'device'
        ORDER BY d.slot, d.device_id
        """

    package struct Row: Sendable {
        package var key: DeviceKey
        package var hardwareID: String
    }

    let account: Account.ID
    package init(of account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: DeviceKey(&row), hardwareID: row.read())
    }
}

/// Erases some of the readings that belonged only to people who are gone. The result is the number of rows erased;
/// `nil` if none are left.
package struct EraseReadings: Statement {
    package static let sql = "SELECT erase_readings($1)"
    let limit: Int32
    package init(limit: Int32) { self.limit = limit }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    package static func decode(_ row: inout RowReader) throws -> Int32? { try row.read() }
}
