import Postgres
import Store
import WaterQuality

/// The settings of one parameter of all devices that the named account owns, in the order in which rules of several devices are changed; they stay
/// until the end of the transaction.
struct LockOwnSettings: Statement {
    static let sql = """
        SELECT o.slot, o.device_id, d.hardware_id, s.version, s.unit, s.minimum, s.maximum, s.colour, s.position, s.critical_minimum,
            s.critical_maximum, \(WatchSetting.columns(of: "s.")), s.follows, s.periods::text
        FROM ownership o
        JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        JOIN setting s ON s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id AND s.parameter = $2
            AND s.valid_until IS NULL
        WHERE o.account_id = $1 AND o.role = 'owner' AND o.unlinked_at IS NULL
        ORDER BY o.slot, o.device_id
        FOR UPDATE OF o, s
        """

    struct Row: Sendable {
        var device: DeviceKey
        var hardwareID: String
        var setting: ReadSetting.Row
    }

    let account: Account.ID
    let parameter: Parameter
    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(parameter)
    }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(device: DeviceKey(&row), hardwareID: row.read(), setting: ReadSetting.decode(&row))
    }
}

/// Ends the current versions of a parameter's settings on some devices.
struct EndSettings: Statement {
    static let sql = """
        UPDATE setting s SET valid_until = greatest(now(), s.valid_from)
        FROM unnest($3::smallint[], $4::integer[]) AS d (slot, device_id)
        WHERE s.slot = d.slot AND s.device_id = d.device_id AND s.account_id = $1 AND s.parameter = $2 AND s.valid_until IS NULL
        """
    let account: Account.ID
    let parameter: Parameter
    let devices: [DeviceKey]
    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(parameter)
        parameters.append(devices)
    }
}

/// Adds the versions after those that have just ended, with other limits and units; all else stays. One statement, which members' limits follow.
struct AddLimits: Statement {
    static let sql = """
        INSERT INTO setting (
            slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, critical_minimum, critical_maximum,
            \(WatchSetting.columnNames), periods, valid_from)
        SELECT s.slot, s.device_id, s.account_id, s.parameter, s.version + 1, n.unit, n.minimum, n.maximum, s.colour, s.position, n.critical_minimum,
            n.critical_maximum, \(WatchSetting.allCases.map { "s.\($0.column)" }.joined(separator: ", ")), n.periods::jsonb, s.valid_until
        FROM unnest($3::smallint[], $4::integer[], $5::integer[], $6::text[], $7::integer[], $8::integer[], $9::integer[], $10::integer[],
            $11::text[]) AS n (slot, device_id, version, unit, minimum, maximum, critical_minimum, critical_maximum, periods)
        JOIN setting s ON s.slot = n.slot AND s.device_id = n.device_id AND s.account_id = $1 AND s.parameter = $2 AND s.version = n.version
        ORDER BY s.slot, s.device_id
        """
    let account: Account.ID
    let parameter: Parameter
    /// The former versions with the next limits and units.
    let settings: [LockOwnSettings.Row]
    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(parameter)
        parameters.append(settings.map(\.device))
        parameters.append(settings.map(\.setting.version))
        parameters.append(settings.map(\.setting.unit))
        parameters.append(settings.map(\.setting.minimum))
        parameters.append(settings.map(\.setting.maximum))
        parameters.append(settings.map(\.setting.criticalMinimum))
        parameters.append(settings.map(\.setting.criticalMaximum))
        parameters.append(settings.map(\.setting.periods?.stored))
    }
}

/// Has the named person's limits of a parameter follow those of the device's project. False: they have no part in a project's device.
struct FollowProject: Statement {
    static let sql = "SELECT follow_project($1, $2, $3)"
    let device: DeviceKey
    let parameter: Parameter
    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(parameter)
    }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
