package import Instants
package import Postgres
package import WaterQuality

/// Stores what devices said of themselves.
package struct NoteDeviceLives: Statement {
    package static let sql = """
        SELECT note_device_lives($1::smallint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::real[], $7::smallint[],
            $8::smallint[], $9::bigint[], $10::text[])
        """

    let lives: [(device: DeviceKey, said: LifeReport)]

    package init(_ lives: [DeviceKey: LifeReport]) {
        self.lives = lives.map { ($0.key, $0.value) }
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(lives.map(\.device))
        parameters.append(lives.map(\.said.family.rawValue))
        parameters.append(lives.map(\.said.version))
        parameters.append(lives.map(\.said.newer))
        parameters.append(lives.map(\.said.battery))
        parameters.append(lives.map(\.said.signal))
        parameters.append(lives.map(\.said.linkQuality))
        parameters.append(lives.map(\.said.uptime))
        parameters.append(lives.map(\.said.reset))
    }
}

extension DeviceLife {
    /// The columns of a device's row `l` with what `joins` brings.
    package static let columns =
        "l.battery, l.battery_at, l.signal, l.signal_at, y.days, y.batteries, y.signals, y.restarts, q.silences"

    /// The joins that the columns need beside the row `l`. Of episodes the role or the person sees its own alone.
    /// - Parameters:
    ///   - table: The days, as whoever asks may see them.
    ///   - most: How many days are read.
    package static func joins(days table: String, most: Int = 31) -> String {
        """
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(t.day - DATE '1970-01-01' ORDER BY t.day), '{}') AS days,
                coalesce(array_agg(t.battery ORDER BY t.day), '{}') AS batteries, coalesce(array_agg(t.signal ORDER BY t.day), '{}') AS signals,
                coalesce(array_agg(t.restarts ORDER BY t.day), '{}') AS restarts
            FROM \(table) t
            WHERE t.slot = l.slot AND t.device_id = l.device_id AND t.day > (now() AT TIME ZONE 'UTC')::date - \(most)
        ) y
        CROSS JOIN LATERAL (
            -- one silence, however many people were told of it, and since when each
            SELECT coalesce(array_agg(lower(silence)), '{}') AS silences FROM (
                SELECT unnest(range_agg(tstzrange(e.opened_at,
                    CASE WHEN e.closed_at IS NOT NULL THEN greatest(e.opened_at, e.closed_at) END, '[]'))) AS silence
                FROM episode e
                WHERE e.slot = l.slot AND e.device_id = l.device_id AND e.opened_at > now() - interval '14 days'
                    AND e.kind = 'silence' AND e.parameter IS NULL
            ) AS s
        ) q
        """
    }

    /// Reads `columns`.
    package init(_ row: inout RowReader) throws {
        let (battery, batteryAt) = try (row.read(Float?.self), row.read(Timestamp?.self))
        let (signal, signalAt) = try (row.read(Int16?.self), row.read(Timestamp?.self))
        let (days, batteries) = try (row.read([Int32].self), row.read([Float?].self))
        let (signals, restarts) = try (row.read([Int16?].self), row.read([Int16].self))
        let silences = Dictionary(try row.read([Timestamp].self).map { (CivilDay($0), 1) }, uniquingKeysWith: +)
        self.init(
            battery: battery.flatMap { value in batteryAt.map { Latest(value, at: $0) } },
            signal: signal.flatMap { value in signalAt.map { Latest(value, at: $0) } },
            days: days.indices.map { index in
                let day = CivilDay(number: Int(days[index]))
                return Day(
                    day, battery: batteries[index], signal: signals[index], restarts: Int(restarts[index]),
                    silences: silences[day] ?? 0)
            })
    }
}

/// All that is known of how a device lives.
package struct KnownLife: Sendable {
    package var device: DeviceKey
    /// The firmware; a word that only a newer version of the service knows stays one.
    package var family: Word<LifeReport.Family>
    package var version: String?
    /// Since when that version is known to run.
    package var versionAt: Timestamp?
    /// A newer version that the firmware itself knows of.
    package var newer: String?
    /// The quality of a Zigbee link, 0 to 255.
    package var linkQuality: Int16?
    /// When the device was started last, by its uptime.
    package var startedAt: Timestamp?
    /// The reason for that, in the firmware's words.
    package var reset: String?
    package var notedAt: Timestamp
    package var life: DeviceLife

    /// - Parameter most: How many days are read.
    package static func select(from lives: String, days: String, most: Int = 31) -> String {
        """
        SELECT l.slot, l.device_id, l.family, l.version, l.version_at, l.newer, l.link_quality, l.started_at, l.reset, l.noted_at,
            \(DeviceLife.columns)
        FROM \(lives) l
        \(DeviceLife.joins(days: days, most: most))
        """
    }

    package init(_ row: inout RowReader) throws {
        device = try DeviceKey(&row)
        family = try row.read()
        version = try row.read()
        versionAt = try row.read()
        newer = try row.read()
        linkQuality = try row.read()
        startedAt = try row.read()
        reset = try row.read()
        notedAt = try row.read()
        life = try DeviceLife(&row)
    }
}

/// A change of what a device says of itself.
package struct LifeChange: Sendable {
    package var at: Timestamp
    /// `version`, or `reset`: the reason of a start.
    package var kind: String
    /// `nil` where none was known.
    package var former: String?
    package var value: String

    package init(_ row: inout RowReader) throws {
        at = try row.read()
        kind = try row.read()
        former = try row.read()
        value = try row.read()
    }
}

/// The life of a device, for operators; no row while it has said nothing.
package struct FindDeviceLife: Statement {
    package static let sql = """
        \(KnownLife.select(from: "device_life", days: "device_life_day", most: DeviceLife.keptDays))
        WHERE l.slot = $1 AND l.device_id = $2
        """

    let device: DeviceKey
    package init(of device: DeviceKey) { self.device = device }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    package static func decode(_ row: inout RowReader) throws -> KnownLife { try KnownLife(&row) }
}
