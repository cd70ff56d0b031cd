import Instants
import Postgres
import Store
import WaterQuality

/// A device that a person has now, as owner or watcher, with what the person sees of it.
struct PersonDevice: Sendable {
    var key: DeviceKey
    var hardwareID: String
    var kind: Word<Device.Kind>
    /// The number of the person's ownership.
    var ownership: Int64
    /// Counts the changes of name and place, and of whether the device shows anything or moves.
    var version: Int32
    var role: Word<Ownership.Role>
    /// The person's own name for the device.
    var name: String
    /// The place that the person gave; of a site the place that its owner gave.
    var place: SitePlace
    /// The site at which it stands; `nil`: none that the person has.
    var site: Site?
    /// The newest test of its water by hand; of sites alone.
    var lastTest: LastTest?

    struct LastTest: Sendable {
        var at: Timestamp
        /// In canonical units, in the order of the parameters' numbers.
        var values: [Value]

        struct Value: Sendable {
            var parameter: Word<Parameter>
            var value: Float
        }
    }

    struct Site: Sendable {
        var id: String
        /// The person's own name for it.
        var name: String
        var since: Timestamp
    }

    /// Whether the device itself shows what its owner sees, and its button answers for them.
    var showsOnDevice: Bool
    /// Whether its owner says that it moves, so that its positions are kept.
    var moves = false
    /// Where it was last, by the true time; only while it moves.
    var lastPosition: TrackPoint?
    var linkedAt: Timestamp
    /// Whether the device is connected, by its last status; `nil` when it never sent one.
    var online: Bool?
    var statusChangedAt: Timestamp?
    var lastReadingAt: Timestamp?
    /// When the device was last heard, while the person counts it as silent.
    var silentSince: Timestamp?
    /// The probable explanation of a silence; only where it was looked up (`explained`).
    var silenceHint: SilenceHint?

    /// When it was last heard, while it is silent.
    var heardBeforeSilence: Timestamp? {
        silentSince ?? (online == false ? lastReadingAt ?? statusChangedAt : nil)
    }

    /// Probes that report a fault or whose values stay the same, and since when.
    var brokenProbes: [BrokenProbe] = []
    /// The device in the same water with whose probes its own are compared.
    var second: String?
    /// Probes that lie apart from those of the second device, and since when.
    var differingProbes: [DifferingProbe] = []
    /// The device's clock, where it is wrong or not known to be right.
    var clock: Clock?

    struct Clock: Sendable {
        /// How far the clock is behind; negative: ahead; `nil` where that is not proven.
        var lagSeconds: Int32?
        /// When the clock was last put back, by our clock, as far as that was seen.
        var steppedAt: Timestamp?
    }

    /// Of the messages within a day that could not be read, the kind that began last; only for the owner.
    var unreadable: Unreadable?

    struct Unreadable: Sendable {
        var reason: String
        var subject: String
        /// When the first such message came.
        var since: Timestamp
    }

    /// Work on its water that goes on, or has ended within the hour.
    var work: ShownWork?
    /// The project whose device it is; `nil`: nobody's, or one in which the person takes part no more.
    var project: Project?

    struct Project: Sendable {
        var id: Account.ID
        var name: String
        var role: Word<ProjectRole>
    }

    struct BrokenProbe: Sendable {
        var parameter: Word<Parameter>
        var since: Timestamp
        /// The value at which the probe has stayed, in the parameter's canonical unit; `nil` where the probe itself
        /// reports a fault.
        var flatAt: Float?
    }

    struct DifferingProbe: Sendable {
        var parameter: Word<Parameter>
        var since: Timestamp
        /// The difference by which the probe reads higher, in the parameter's canonical unit.
        var by: Float
    }

    static let select = """
        SELECT p.slot, p.device_id, p.hardware_id, p.kind, p.ownership_id, p.version, p.role, p.name, p.latitude, p.longitude,
            p.place_accuracy, p.place_source, g.hardware_id, g.name, g.since,
            f.at, coalesce(f.parameters, '{}'), coalesce(f.readings, '{}'),
            p.shows_on_device, p.linked_at, p.online, p.status_changed_at, last_reading(p.slot, p.device_id) + c.lag,
            (SELECT e.opened_at FROM episode e
            WHERE e.slot = p.slot AND e.device_id = p.device_id AND e.parameter IS NULL AND e.kind = 'silence'
                AND e.account_id = (SELECT current_account()) AND e.closed_at IS NULL),
            coalesce(b.parameters, '{}'), coalesce(b.since, '{}'), coalesce(b.flat, '{}'), coalesce(b.apart, '{}'),
            (SELECT q.hardware_id FROM companion n
                JOIN person_device q ON q.slot = n.second_slot AND q.device_id = n.second_id AND q.unlinked_at IS NULL
                WHERE n.slot = p.slot AND n.device_id = p.device_id),
            k.device_id IS NOT NULL, k.lag_seconds, k.stepped_at, u.reason, u.subject, u.first_at,
            \(ShownWork.columns("w")), j.project_id, j.name, j.role, p.moves, t.at + c.lag, t.latitude, t.longitude, t.accuracy
        FROM person_device p
        LEFT JOIN person_project j ON j.project_id = p.project_id
        LEFT JOIN person_clock k ON k.slot = p.slot AND k.device_id = p.device_id
        CROSS JOIN LATERAL (SELECT make_interval(secs => clock_lag(p.slot, p.device_id)) AS lag OFFSET 0) c
        CROSS JOIN LATERAL (
            SELECT array_agg(e.parameter ORDER BY e.parameter) AS parameters,
                array_agg(e.opened_at + c.lag ORDER BY e.parameter) AS since,
                array_agg(e.flat_at ORDER BY e.parameter) AS flat,
                array_agg(e.differs_by ORDER BY e.parameter) AS apart
            FROM episode e -- the person's alone, by its policy
            WHERE e.slot = p.slot AND e.device_id = p.device_id AND e.kind = 'fault' AND e.closed_at IS NULL
        ) AS b
        LEFT JOIN LATERAL (
            SELECT r.reason, r.subject, r.first_at FROM person_reject r
            WHERE r.slot = p.slot AND r.device_id = p.device_id AND r.day >= (now() AT TIME ZONE 'UTC')::date - 1
                AND r.last_at > now() - interval '1 day'
                AND r.reason NOT IN ('probeFault', 'otherProbe') -- shown as broken probes, and in the list of probes
                AND r.reason <> 'secondProbe' -- comes as long as the second board is there
                AND (r.reason <> 'badPosition' OR p.moves) -- of what does not move nobody wants a position
            ORDER BY r.first_at DESC, r.reason, r.subject
            LIMIT 1
        ) AS u ON p.role = 'owner'
        LEFT JOIN LATERAL (
            SELECT * FROM person_work w
            WHERE w.slot = p.slot AND w.device_id = p.device_id AND w.ends_at > now() - interval '1 hour' AND w.begins_at <= now()
            ORDER BY w.ends_at DESC
            LIMIT 1
        ) AS w ON true
        LEFT JOIN LATERAL (
            SELECT h.at, ARRAY(
                    SELECT v.parameter FROM hand_value v WHERE v.slot = h.slot AND v.test_id = h.test_id ORDER BY v.parameter) AS parameters,
                ARRAY(SELECT v.value FROM hand_value v WHERE v.slot = h.slot AND v.test_id = h.test_id ORDER BY v.parameter) AS readings
            FROM (SELECT WHERE p.kind = 'site') AS by_hand
            JOIN person_tank y ON y.slot = p.slot AND y.ownership_id = p.ownership_id
            JOIN hand_test h ON h.slot = y.slot AND h.tank_id = y.tank_id AND h.at < now() + interval '10 minutes'
            ORDER BY h.at DESC, h.test_id DESC
            LIMIT 1
        ) AS f ON true
        LEFT JOIN LATERAL (
            SELECT q.hardware_id, q.name, n.since FROM standing n -- of whoever has both, by its policy
            JOIN person_device q ON q.slot = n.site_slot AND q.device_id = n.site_id AND q.unlinked_at IS NULL
            WHERE n.slot = p.slot AND n.device_id = p.device_id AND n.until IS NULL
        ) AS g ON true
        LEFT JOIN LATERAL (
            -- looked up of devices that move alone
            SELECT l.* FROM (SELECT WHERE p.moves) AS moving CROSS JOIN LATERAL last_position(p.slot, p.device_id) AS l OFFSET 0
        ) AS t ON true
        WHERE p.unlinked_at IS NULL
        """

    init(_ row: inout RowReader) throws {
        key = try DeviceKey(&row)
        hardwareID = try row.read()
        kind = try row.read()
        ownership = try row.read()
        version = try row.read()
        role = try row.read()
        name = try row.read()
        place = try SitePlace(&row)
        let (siteID, siteName, stands): (String?, String?, Timestamp?) = try (row.read(), row.read(), row.read())
        if let siteID, let siteName, let stands { site = Site(id: siteID, name: siteName, since: stands) }
        let testedAt: Timestamp? = try row.read()
        let (tested, readings) = try (row.read([Word<Parameter>].self), row.read([Float].self))
        if let testedAt {
            lastTest = LastTest(at: testedAt, values: zip(tested, readings).map { .init(parameter: $0, value: $1) })
        }
        showsOnDevice = try row.read()
        linkedAt = try row.read()
        online = try row.read()
        statusChangedAt = try row.read()
        lastReadingAt = try row.read()
        silentSince = try row.read()
        let (parameters, since) = try (row.read([Word<Parameter>].self), row.read([Timestamp].self))
        let (flat, apart) = try (row.read([Float?].self), row.read([Float?].self))
        for (begun, values) in zip(zip(parameters, since), zip(flat, apart)) {
            if let by = values.1 {
                differingProbes.append(DifferingProbe(parameter: begun.0, since: begun.1, by: by))
            } else {
                brokenProbes.append(BrokenProbe(parameter: begun.0, since: begun.1, flatAt: values.0))
            }
        }
        second = try row.read()
        let (isDoubted, found) = try (row.read(Bool.self), Clock(lagSeconds: row.read(), steppedAt: row.read()))
        clock = isDoubted ? found : nil
        let reason: String? = try row.read()
        let (subject, first): (String?, Timestamp?) = try (row.read(), row.read())
        if let reason, let subject, let first {
            unreadable = Unreadable(reason: reason, subject: subject, since: first)
        }
        work = try ShownWork(&row)
        let (id, name, role): (Account.ID?, String?, Word<ProjectRole>?) = try (row.read(), row.read(), row.read())
        if let id, let name, let role { project = Project(id: id, name: name, role: role) }
        moves = try row.read()
        let (at, latitude, longitude): (Timestamp?, Int32?, Int32?) = try (row.read(), row.read(), row.read())
        let accuracy: Int16? = try row.read()
        if let at, let latitude, let longitude {
            let position = Position(storedLatitude: latitude, longitude: longitude, accuracy: accuracy)
            lastPosition = TrackPoint(time: at, position: position)
        }
    }
}

/// A page of the devices of the person for whom the transaction acts, in the order of their ids.
struct ListPersonDevices: Statement {
    static let sql = """
        \(PersonDevice.select) AND p.hardware_id > $1
        ORDER BY p.hardware_id
        LIMIT $2
        """
    let after: String
    let limit: Int64

    /// - Parameter after: The last id of the page before; empty for the first page.
    init(after: String, limit: Int) {
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> PersonDevice { try PersonDevice(&row) }
}

/// A device of the person for whom the transaction acts; no row when it is not theirs.
struct FindPersonDevice: Statement {
    static let sql = "\(PersonDevice.select) AND p.slot = $1 AND p.hardware_id = $2"
    let hardwareID: Device.HardwareID
    init(_ hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }

    func bind(_ parameters: inout Parameters) {
        parameters.append(Slot(of: hardwareID))
        parameters.append(hardwareID.text)
    }

    static func decode(_ row: inout RowReader) throws -> PersonDevice { try PersonDevice(&row) }
}

/// Changes a person's name and place of a device, and whether it shows what they see, and moves. The ownership must be locked (`LockOwnership`).
struct ChangeDevice: Statement {
    static let sql = """
        UPDATE ownership SET name = $4, latitude = $5, longitude = $6, place_accuracy = $7, place_source = $8, shows_on_device = $9,
            moves = $10, version = version + 1
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND unlinked_at IS NULL
        """
    let device: DeviceKey
    let account: Account.ID
    let name: String
    let place: SitePlace
    let showsOnDevice: Bool
    let moves: Bool

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
        parameters.append(name)
        parameters.append(place)
        parameters.append(showsOnDevice)
        parameters.append(moves)
    }
}

/// Links the device of a claim code to a person, with the default settings of every parameter.
struct ClaimDevice: Statement {
    static let sql = "SELECT outcome, hardware FROM claim_device($1, $2, $3, $4, $5, $6, $7, $8, $9)"

    enum Outcome: String, CaseIterable, Sendable {
        case linked
        /// No device has this code.
        case unknown
        /// The person owns the device already.
        case yours
        /// Somebody else owns it.
        case taken
    }

    struct Row: Sendable {
        var outcome: Outcome
        /// The device's id, where it is the person's.
        var hardwareID: String?
    }

    let hashes: [[UInt8]]
    let account: Account.ID
    let name: String
    let defaults: [LinkDevice.Default]

    /// - Parameter hashes: The code's hashes, by each of the keys that it may have been stored under.
    init(
        hashes: [[UInt8]], account: Account.ID, name: String, defaults: [LinkDevice.Default] = .ofManual
    ) {
        self.hashes = hashes
        self.account = account
        self.name = name
        self.defaults = defaults
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(hashes)
        parameters.append(account)
        parameters.append(name)
        parameters.append(defaults)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(outcome: row.read(), hardwareID: row.read())
    }
}

/// Finds a device of the person for whom the transaction acts, by the device's key.
struct FindJoinedDevice: Statement {
    static let sql = "\(PersonDevice.select) AND p.slot = $1 AND p.device_id = $2"
    let device: DeviceKey
    init(_ device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> PersonDevice { try PersonDevice(&row) }
}
