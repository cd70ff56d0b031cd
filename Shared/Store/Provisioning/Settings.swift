package import Postgres
package import WaterQuality

/// A person's current setting of a parameter, locked until the end of the transaction. The ownership must be locked
/// first (`LockOwnership`). A statement that waits here finds no row if the other transaction ended the version
/// meanwhile.
package struct ReadSetting: Statement {
    package static let sql = """
        SELECT version, unit, minimum, maximum, colour, position, critical_minimum, critical_maximum,
            \(WatchSetting.columns()), follows, periods::text
        FROM setting
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4 AND valid_until IS NULL
        FOR UPDATE
        """

    package struct Row: Hashable, Sendable {
        package var version: Int32
        package var unit: String
        /// The limits, in whole sensor steps.
        package var minimum: Int32?
        package var maximum: Int32?
        package var colour: String
        package var position: Int16
        /// The critical limits, in whole sensor steps.
        package var criticalMinimum: Int32?
        package var criticalMaximum: Int32?
        package var settings = WatchSettings()
        /// Whether the limits are those of the device's project, and change with them.
        package var follows = false
        /// Limits at other times.
        package var periods: LimitPeriods?

        /// The limits, the rules beside them, and the unit.
        package func range(of parameter: Parameter) -> PersonalRange {
            var range = PersonalRange(
                parameter: parameter, unit: Unit(rawValue: unit) ?? parameter.canonicalUnit,
                minimum: minimum.map { Steps($0) }, maximum: maximum.map { Steps($0) })
            range.criticalMinimum = criticalMinimum.map { Steps($0) }
            range.criticalMaximum = criticalMaximum.map { Steps($0) }
            range.settings = settings
            range.periods = periods
            return range
        }

        /// The same setting with other limits and another unit.
        package func with(_ range: PersonalRange) -> Self {
            var next = self
            next.unit = range.unit.rawValue
            next.minimum = range.minimum?.count
            next.maximum = range.maximum?.count
            next.criticalMinimum = range.criticalMinimum?.count
            next.criticalMaximum = range.criticalMaximum?.count
            next.settings = range.settings
            next.periods = range.periods
            return next
        }

        /// Whether only the unit, the colour or the order differ.
        package func hasLimits(of other: Self) -> Bool {
            minimum == other.minimum && maximum == other.maximum && criticalMinimum == other.criticalMinimum
                && criticalMaximum == other.criticalMaximum && settings == other.settings && periods == other.periods
        }

        package init(
            version: Int32, unit: String, minimum: Int32?, maximum: Int32?, colour: String, position: Int16
        ) {
            self.version = version
            self.unit = unit
            self.minimum = minimum
            self.maximum = maximum
            self.colour = colour
            self.position = position
        }
    }

    let key: WatchKey
    package init(_ key: WatchKey) { self.key = key }
    package func bind(_ parameters: inout Parameters) { parameters.append(key: key) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        var setting = try Row(
            version: row.read(), unit: row.read(), minimum: row.read(), maximum: row.read(), colour: row.read(),
            position: row.read())
        setting.criticalMinimum = try row.read()
        setting.criticalMaximum = try row.read()
        setting.settings = try WatchSettings(&row)
        setting.follows = try row.read()
        setting.periods = try LimitPeriods(stored: row.read())
        return setting
    }
}

/// A person's current settings of all parameters of a device, in their order on the screen.
package struct ListSettings: Statement {
    package static let sql = """
        SELECT parameter, version, unit, minimum, maximum, colour, position, critical_minimum, critical_maximum,
            \(WatchSetting.columns()), follows, periods::text
        FROM setting
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND valid_until IS NULL AND parameter < \(Parameter.count)
        ORDER BY position, parameter
        """

    package struct Row: Sendable {
        package var parameter: Parameter
        package var setting: ReadSetting.Row
    }

    let device: DeviceKey
    let account: Account.ID

    package init(of device: DeviceKey, by account: Account.ID) {
        self.device = device
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(parameter: row.read(), setting: ReadSetting.decode(&row))
    }
}

/// Ends the current version of a setting.
package struct EndSetting: Statement {
    package static let sql = """
        -- now() is the start of the transaction and can lie before a version that it had to wait for
        UPDATE setting SET valid_until = greatest(now(), valid_from)
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4 AND valid_until IS NULL
        """
    let key: WatchKey
    package init(_ key: WatchKey) { self.key = key }
    package func bind(_ parameters: inout Parameters) { parameters.append(key: key) }
}

/// Adds the next version of a setting; `checkViolation` names the violated constraint.
package struct AddSetting: Statement {
    package static let sql = """
        INSERT INTO setting (
            slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, critical_minimum,
            critical_maximum, \(WatchSetting.columnNames), follows, periods, valid_from)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, \(WatchSetting.values(from: 13)),
            $\(13 + WatchSetting.allCases.count)::boolean, $\(14 + WatchSetting.allCases.count)::text::jsonb, greatest(now(), max(valid_until))
        FROM setting
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4
        """
    let key: WatchKey
    let setting: ReadSetting.Row

    package init(_ key: WatchKey, _ setting: ReadSetting.Row) {
        self.key = key
        self.setting = setting
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(key: key)
        parameters.append(setting.version)
        parameters.append(setting.unit)
        parameters.append(setting.minimum)
        parameters.append(setting.maximum)
        parameters.append(setting.colour)
        parameters.append(setting.position)
        parameters.append(setting.criticalMinimum)
        parameters.append(setting.criticalMaximum)
        for asked in WatchSetting.allCases { parameters.append(setting.settings[asked]) }
        parameters.append(setting.follows)
        parameters.append(setting.periods?.stored)
    }
}

extension PostgresTransaction {
    /// Replaces the given version of a setting, which must be current and locked (`ReadSetting`), by the next one. Limits that followed a project's
    /// are the person's own once they are others.
    /// - Returns: The setting that is now current: the given one if nothing changes.
    /// - Throws: `checkViolation`, which names the violated constraint.
    @discardableResult
    package func replaceSetting(
        _ key: WatchKey, _ current: ReadSetting.Row, by next: ReadSetting.Row
    ) throws -> ReadSetting.Row {
        guard next != current else { return current }
        var setting = next
        setting.version = current.version + 1
        setting.follows = current.follows && next.hasLimits(of: current)
        try perform(EndSetting(key))
        try perform(AddSetting(key, setting))
        return setting
    }
}

extension Parameters {
    /// Four values: slot, device, account, parameter.
    mutating func append(key: WatchKey) {
        append(key.device.slot)
        append(key.device.device)
        append(key.account)
        append(key.parameter)
    }
}
