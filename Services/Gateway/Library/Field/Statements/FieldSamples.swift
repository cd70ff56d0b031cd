import Instants
import Postgres
import Store
import WaterQuality

/// The columns of the present version of a sample, as `StoredFieldSample` reads them.
private func present(track: String) -> String {
    """
    s.sample_id, s.slot, s.tank_id, s.device_id, s.account_id, s.version, s.state, s.content, \(track) AS track, s.clock_offset,
        s.received_at, s.changed_at, s.review, s.review_note, s.reviewed_at
    """
}

/// A sample that the person sees, in its present version or a former one; no row where there is none.
struct FindFieldSample: Statement {
    static let sql = """
        SELECT \(StoredFieldSample.columns)
        FROM (
            SELECT \(present(track: "s.track")) FROM field_sample s WHERE s.sample_id = $1 AND ($2::integer IS NULL OR s.version = $2)
            UNION ALL
            SELECT s.sample_id, s.slot, s.tank_id, s.device_id, s.account_id, v.version, v.state, v.content, NULL, s.clock_offset,
                s.received_at, v.written_at, NULL, NULL, NULL
            FROM field_sample s
            JOIN field_sample_version v ON v.slot = s.slot AND v.tank_id = s.tank_id AND v.sample_id = s.sample_id
            WHERE s.sample_id = $1 AND v.version = $2
        ) AS j
        \(StoredFieldSample.joins)
        """

    let id: FieldSampleID
    let version: Int32?

    init(_ id: FieldSampleID, version: Int32? = nil) {
        self.id = id
        self.version = version
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(version)
    }

    static func decode(_ row: inout RowReader) throws -> StoredFieldSample? { try StoredFieldSample(&row) }
}

/// A page of samples of the tanks that the person sees, newest change first, below a place in that order: of all of them, or of a device. Each tank gives
/// the head of its list by an index, and the heads are merged.
struct PageFieldSamples: Statement {
    static let sql = """
        WITH chosen AS MATERIALIZED (
            SELECT found.* FROM (
                SELECT p.slot, p.tank_id, p.role
                FROM person_tank p JOIN device d ON d.slot = p.slot AND d.device_id = p.device_id
                WHERE $1::text IS NULL OR d.hardware_id = $1
            ) AS t
            CROSS JOIN LATERAL (
                SELECT \(present(track: "CASE WHEN $6 THEN s.track END")) FROM field_sample s
                WHERE s.slot = t.slot AND s.tank_id = t.tank_id
                    -- the first column by itself too, so that the index begins there
                    AND s.changed_at <= $2 AND (s.changed_at, s.sample_id) < ($2, $3)
                    AND (NOT $5 OR t.role = 'owner' OR s.account_id = (SELECT current_account()))
                ORDER BY s.changed_at DESC, s.sample_id DESC
                LIMIT $4
            ) AS found
            ORDER BY found.changed_at DESC, found.sample_id DESC
            LIMIT $4
        )
        SELECT \(StoredFieldSample.columns), j.changed_at, j.sample_id
        FROM chosen j
        \(StoredFieldSample.joins)
        ORDER BY j.changed_at DESC, j.sample_id DESC
        """

    /// A place in the order of samples.
    struct Place: Hashable, Sendable {
        var at: Timestamp
        var id: FieldSampleID

        /// Above all samples.
        static let newest = Place(at: .distantFuture, id: FieldSampleID(rawValue: .max))
    }

    struct Row: Sendable {
        /// `nil` for what only a newer version of the service can read.
        var sample: StoredFieldSample?
        var place: Place
    }

    let place: Place
    let device: Device.HardwareID?
    let isTheirs: Bool
    let hasTracks: Bool
    let limit: Int64

    /// - Parameters:
    ///   - isTheirs: Only what is the person's: all of tanks that they own or owned, and what they took in others'.
    ///   - hasTracks: Whether their tracks are read, which are long.
    init(
        below place: Place, of device: Device.HardwareID? = nil, isTheirs: Bool = false, hasTracks: Bool = false,
        limit: Int
    ) {
        self.place = place
        self.device = device
        self.isTheirs = isTheirs
        self.hasTracks = hasTracks
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device?.text)
        parameters.append(place.at)
        parameters.append(place.id)
        parameters.append(limit)
        parameters.append(isTheirs)
        parameters.append(hasTracks)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let sample = try StoredFieldSample(&row)
        return try Row(sample: sample, place: Place(at: row.read(), id: row.read()))
    }
}

/// The versions of a sample that the person sees, newest first: 100 at most.
struct ListFieldVersions: Statement {
    static let sql = """
        SELECT j.version, j.state, j.written_at, \(CarePerson.columns)
        FROM (
            SELECT s.slot, s.tank_id, s.version, s.state, s.written_at, s.changed_by AS account_id
            FROM field_sample s WHERE s.sample_id = $1
            UNION ALL
            SELECT v.slot, v.tank_id, v.version, v.state, v.written_at, v.account_id
            FROM field_sample s
            JOIN field_sample_version v ON v.slot = s.slot AND v.tank_id = s.tank_id AND v.sample_id = s.sample_id
            WHERE s.sample_id = $1
        ) AS j
        \(CarePerson.join("j"))
        ORDER BY j.version DESC
        """

    struct Row: Sendable {
        var version: Int32
        var state: String
        var changedAt: Timestamp
        var by: CarePerson?
    }

    let id: FieldSampleID
    init(of id: FieldSampleID) { self.id = id }
    func bind(_ parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            version: row.read(), state: row.read(), changedAt: row.read(), by: CarePerson.read(&row))
    }
}

/// Writes a sample of the named person's, with the values by hand that follow from it.
struct PutFieldSample: Statement {
    static let sql = """
        SELECT put_field_sample($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case created, changed, stale, notTheirs, full, unknown
    }

    let id: FieldSampleID
    let device: DeviceKey
    /// The version that is changed; `nil` to create.
    let version: Int32?
    let sample: FieldSample
    let clockOffset: Float?
    let values: [HandValue]

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
        parameters.append(version)
        parameters.append(sample.state.rawValue)
        parameters.append(sample.begunAt)
        parameters.append(sample.storedJSON)
        parameters.append(sample.track.segments.isEmpty ? nil : sample.track.bytes)
        parameters.append(clockOffset)
        parameters.append(values.map(\.parameter.rawValue))
        parameters.append(values.map(\.value))
        parameters.append(values.map(\.lower))
        parameters.append(values.map(\.upper))
        parameters.append(values.map(\.choice))
        parameters.append(values.map(\.read))
        parameters.append(values.map(\.unit.rawValue))
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Withdraws a sample of the named person's.
struct WithdrawFieldSample: Statement {
    static let sql = "SELECT withdraw_field_sample($1, $2)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case withdrawn, stale, notTheirs, full, unknown
    }

    let id: FieldSampleID
    let version: Int32

    init(_ id: FieldSampleID, version: Int32) {
        self.id = id
        self.version = version
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(version)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Says what the owner holds of a version of a sample.
struct ReviewFieldSample: Statement {
    static let sql = "SELECT review_field_sample($1, $2, $3, $4)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case reviewed, stale, notTheirs, unknown
    }

    let id: FieldSampleID
    let version: Int32
    /// `nil`: nothing any more.
    let verdict: StoredFieldSample.Verdict?
    let note: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(version)
        parameters.append(verdict)
        parameters.append(note)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}
