package import Instants
package import Postgres
package import WaterQuality

/// A message of a device that somebody follows.
package struct LiveSample: Equatable, Sendable {
    package var device: DeviceKey
    package var time: Timestamp
    package var readings: Readings

    package init(device: DeviceKey, time: Timestamp, readings: Readings) {
        self.device = device
        self.time = time
        self.readings = readings
    }
}

/// A person's permission for transactions that read for many people at once. Valid for an hour.
package struct LiveTicket: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// Issues a ticket to the transaction's person.
package struct TakeLiveTicket: Statement {
    package static let sql = "SELECT live_ticket()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> LiveTicket? {
        try row.read(String?.self).map(LiveTicket.init)
    }
}

/// The messages of devices since their given times (inclusive), newest first, at most 50 for each, that at least one of
/// the ticket holders may see. `FindLiveDevices`, asked afterwards, tells which of them.
package struct FindLiveSamples: Statement {
    package static let sql = """
        SELECT slot, device_id, event_time, \(SampleColumns.each { $0 }) FROM live_samples($1, $2, $3, $4)
        """

    let devices: [(device: DeviceKey, since: Timestamp?)]
    let tickets: [LiveTicket]

    /// - Parameter devices: Each device with the time of its last known message; `nil` reads the messages of the last
    ///   minute.
    package init(_ devices: [(device: DeviceKey, since: Timestamp?)], for tickets: [LiveTicket]) {
        self.devices = devices
        self.tickets = tickets
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.device))
        parameters.append(devices.map(\.since))
        parameters.append(tickets)
    }

    package static func decode(_ row: inout RowReader) throws -> LiveSample {
        try LiveSample(device: DeviceKey(&row), time: row.read(), readings: Readings(&row))
    }
}

/// A device that a person owns or watches now, with its state.
package struct LiveDevice: Equatable, Sendable {
    /// A parameter that is out of the person's range.
    package struct Episode: Hashable, Sendable {
        package var parameter: Parameter
        package var side: Side
        package var openedAt: Timestamp

        package init(parameter: Parameter, side: Side, openedAt: Timestamp) {
            self.parameter = parameter
            self.side = side
            self.openedAt = openedAt
        }
    }

    /// An open episode of another kind than range: a silence, a fault, a fast change, or the way to a limit.
    package struct Trouble: Hashable, Sendable {
        /// The kind and the parameter, of which a device has one trouble at a time.
        package struct Subject: Hashable, Sendable {
            package var kind: Word<Alert.Kind>
            /// The parameter; `nil` for the silence of the device.
            package var parameter: Word<Parameter>?

            package init(kind: Word<Alert.Kind>, parameter: Word<Parameter>?) {
                self.kind = kind
                self.parameter = parameter
            }
        }

        package var subject: Subject
        package var openedAt: Timestamp

        package init(_ subject: Subject, openedAt: Timestamp) {
            self.subject = subject
            self.openedAt = openedAt
        }
    }

    package var device: DeviceKey
    package var account: Account.ID
    /// The time from which the person may see readings.
    package var readableFrom: Timestamp
    package var hardwareID: String
    /// The device's last status; `nil` if it never sent one.
    package var isOnline: Bool?
    package var statusAt: Timestamp?
    package var episodes: [Episode]
    package var troubles: [Trouble] = []
    /// The known lag of the device's clock, by which displayed times and the episodes' times are corrected.
    package var lag = Duration.zero

    package init(
        device: DeviceKey, account: Account.ID, readableFrom: Timestamp, hardwareID: String, isOnline: Bool?,
        statusAt: Timestamp?, episodes: [Episode]
    ) {
        self.device = device
        self.account = account
        self.readableFrom = readableFrom
        self.hardwareID = hardwareID
        self.isOnline = isOnline
        self.statusAt = statusAt
        self.episodes = episodes
    }
}

/// Finds the given devices that the ticket holders have now.
package struct FindLiveDevices: Statement {
    package static let sql = """
        SELECT d.*, clock_lag(d.slot, d.device_id), coalesce(t.kinds, '{}'), coalesce(t.parameters, '{}'),
            coalesce(t.opened, '{}')
        FROM live_devices($1, $2, $3) d
        LEFT JOIN (
            SELECT slot, device_id, account_id, array_agg(kind ORDER BY kind, parameter) AS kinds,
                array_agg(parameter ORDER BY kind, parameter) AS parameters,
                array_agg(opened_at ORDER BY kind, parameter) AS opened
            FROM live_troubles($1, $2, $3)
            GROUP BY slot, device_id, account_id
        ) AS t ON t.slot = d.slot AND t.device_id = d.device_id AND t.account_id = d.account_id
        """

    let pairs: [(device: DeviceKey, ticket: LiveTicket)]
    package init(_ pairs: [(device: DeviceKey, ticket: LiveTicket)]) { self.pairs = pairs }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(pairs.map(\.device))
        parameters.append(pairs.map(\.ticket))
    }

    package static func decode(_ row: inout RowReader) throws -> LiveDevice {
        var device = try LiveDevice(
            device: DeviceKey(&row), account: row.read(), readableFrom: row.read(), hardwareID: row.read(),
            isOnline: row.read(), statusAt: row.read(), episodes: [])
        let parameters = try row.read([Int16].self)
        let sides = try row.read([Side].self)
        let opened = try row.read([Timestamp].self)
        device.lag = .seconds(Int64(try row.read(Int32.self)))
        for (index, number) in parameters.enumerated() {
            // A newer version has more parameters.
            guard let parameter = Parameter(rawValue: number) else { continue }
            device.episodes.append(
                LiveDevice.Episode(parameter: parameter, side: sides[index], openedAt: opened[index] + device.lag))
        }
        let (kinds, subjects) = try (row.read([Word<Alert.Kind>].self), row.read([Int16?].self))
        for (index, since) in try row.read([Timestamp].self).enumerated() {
            let kind = kinds[index]
            device.troubles.append(
                LiveDevice.Trouble(
                    .init(kind: kind, parameter: subjects[index].map(Word.init)),
                    openedAt: kind.known?.rules.timesAreOurs == false ? since + device.lag : since))
        }
        return device
    }
}

/// Finds the devices that the ticket holders have now, ordered by person.
package struct FindFollowedDevices: Statement {
    package static let sql = "SELECT * FROM followed_devices($1)"

    let tickets: [LiveTicket]
    package init(of tickets: [LiveTicket]) { self.tickets = tickets }
    package func bind(_ parameters: inout Parameters) { parameters.append(tickets) }

    package static func decode(_ row: inout RowReader) throws -> (account: Account.ID, device: DeviceKey) {
        (try row.read(), try DeviceKey(&row))
    }
}

/// People whose setup may have changed: those whose numbers end in the same eight bits.
package struct SetupNotice: Equatable, Sendable {
    let bucket: Int64

    /// - Returns: `nil` unless the payload is a notice.
    package init?(payload: String) {
        guard let bucket = Int64(payload), (0...255).contains(bucket) else { return nil }
        self.bucket = bucket
    }

    package func includes(_ account: Account.ID) -> Bool { account.rawValue & 255 == bucket }
}

/// A part of a person's setup, as screens read it.
package enum SetupPart: String, CaseIterable, Sendable {
    case settings, devices, parameters, snoozes, calls, journal, care
}

/// A version number for each part of a person's setup, which changes with the part.
package struct SetupVersions: Equatable, Sendable {
    package var settings: Int64
    package var devices: Int64
    package var parameters: Int64
    package var snoozes: Int64
    package var calls: Int64
    package var journal: Int64
    package var care: Int64

    package init(
        settings: Int64, devices: Int64, parameters: Int64, snoozes: Int64, calls: Int64 = 0, journal: Int64 = 0,
        care: Int64 = 0
    ) {
        self.settings = settings
        self.devices = devices
        self.parameters = parameters
        self.snoozes = snoozes
        self.calls = calls
        self.journal = journal
        self.care = care
    }

    package subscript(part: SetupPart) -> Int64 {
        switch part {
        case .settings: settings
        case .devices: devices
        case .parameters: parameters
        case .snoozes: snoozes
        case .calls: calls
        case .journal: journal
        case .care: care
        }
    }

    /// The parts that have changed since another version.
    package func changes(since other: Self) -> Set<SetupPart> {
        Set(SetupPart.allCases.filter { self[$0] != other[$0] })
    }
}

/// Finds the versions of the ticket holders' setup.
package struct FindSetupVersions: Statement {
    package static let sql = """
        SELECT s.account_id, s.settings, s.devices, s.parameters, s.snoozes, s.calls, coalesce(c.journal, 0), coalesce(c.care, 0)
        FROM setup_parts($1) s
        LEFT JOIN (
            SELECT account_id, max(version) FILTER (WHERE part = 'journal') AS journal, max(version) FILTER (WHERE part = 'care') AS care
            FROM care_parts($1) GROUP BY account_id) AS c ON c.account_id = s.account_id
        """

    let tickets: [LiveTicket]
    package init(of tickets: [LiveTicket]) { self.tickets = tickets }
    package func bind(_ parameters: inout Parameters) { parameters.append(tickets) }

    package static func decode(_ row: inout RowReader) throws -> (account: Account.ID, versions: SetupVersions) {
        let account = try row.read(Account.ID.self)
        return try (
            account,
            SetupVersions(
                settings: row.read(), devices: row.read(), parameters: row.read(), snoozes: row.read(),
                calls: row.read(), journal: row.read(), care: row.read())
        )
    }
}

/// An alert as an open screen shows it: what `live_alerts` tells of people whose rows the transaction itself does not see.
package struct LiveAlert: Equatable, Sendable {
    package var account: Account.ID
    package var name: AlertName
    package var hardwareID: String?
    package var parameter: Parameter?
    package var kind: Word<Alert.Kind>
    package var purpose: Word<Alert.Purpose>
    package var side: Side?
    /// The value and the limit, in the parameter's canonical unit.
    package var value: Float?
    package var limit: Float?
    package var state: Word<Alert.State>
    /// The event time, corrected by the lag of the device's clock.
    package var eventTime: Timestamp
    package var decidedAt: Timestamp
}

/// Finds the ticket holders' alerts since a time, newest first, at most 50 for each person.
package struct FindLiveAlerts: Statement {
    package static let sql = """
        SELECT a.account_id, a.slot, a.alert_id, a.uid, a.hardware_id, a.parameter, a.kind, \(StoredAlert.purpose), a.side, a.value,
            a.limit_value, a.state, \(ShownTimes.event), a.decided_at
        FROM live_alerts($1, $2) a
        CROSS JOIN LATERAL (\(ShownTimes.lag(known: "clock_lag(a.slot, a.device_id)"))) c
        """

    let tickets: [LiveTicket]
    let since: Timestamp

    package init(of tickets: [LiveTicket], since: Timestamp) {
        self.tickets = tickets
        self.since = since
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(tickets)
        parameters.append(since)
    }

    package static func decode(_ row: inout RowReader) throws -> LiveAlert {
        let account = try row.read(Account.ID.self)
        let key = try AlertKey(&row)
        return try LiveAlert(
            account: account, name: AlertName(row.read(), slot: key.slot, alert: key.alert), hardwareID: row.read(),
            parameter: row.read(Int16?.self).flatMap(Parameter.init(rawValue:)), kind: row.read(), purpose: row.read(),
            side: row.read(), value: row.read(), limit: row.read(), state: row.read(), eventTime: row.read(),
            decidedAt: row.read())
    }
}

/// The messages of the devices of the transaction's person since a time of receipt, oldest first.
package struct ReplaySamples: Statement {
    package static let sql = """
        SELECT r.slot, r.device_id, r.hardware_id, r.event_time, \(SampleColumns.each { "r.\($0)" }), clock_lag(r.slot, r.device_id)
        FROM replay_samples($1, $2) r
        """

    package struct Row: Equatable, Sendable {
        /// The sample, with its time corrected by the lag of the device's clock.
        package var sample: LiveSample
        package var hardwareID: String
    }

    let since: Timestamp
    let limit: Int32

    package init(since: Timestamp, limit: Int) {
        self.since = since
        self.limit = Int32(clamping: limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(since)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let device = try DeviceKey(&row)
        let hardwareID = try row.read(String.self)
        var sample = try LiveSample(device: device, time: row.read(), readings: Readings(&row))
        sample.time = sample.time + .seconds(Int64(try row.read(Int32.self)))
        return Row(sample: sample, hardwareID: hardwareID)
    }
}

/// Finds the given sessions that are still valid.
package struct FindLivingSessions: Statement {
    package static let sql = "SELECT * FROM living_sessions($1)"
    let sessions: [SessionID]
    package init(_ sessions: [SessionID]) { self.sessions = sessions }
    package func bind(_ parameters: inout Parameters) { parameters.append(sessions) }
    package static func decode(_ row: inout RowReader) throws -> SessionID { try row.read() }
}

/// Finds the given personal tokens, by their stored form, that are still valid.
package struct FindLivingTokens: Statement {
    package static let sql = "SELECT * FROM living_tokens($1)"
    let hashes: [[UInt8]]
    package init(_ hashes: [[UInt8]]) { self.hashes = hashes }
    package func bind(_ parameters: inout Parameters) { parameters.append(hashes) }
    package static func decode(_ row: inout RowReader) throws -> [UInt8] { try row.read() }
}
