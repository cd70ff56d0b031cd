import Instants
import Postgres
import Store
import WaterQuality

/// Rows of the samples that the named project received: the numbers of a page first, and their contents after that.
private enum ReceivedRows {
    /// - Parameters:
    ///   - page: The numbers of those that are read.
    ///   - track: An expression for whether their tracks are read, which are long.
    ///   - order: Of the rows.
    static func sql(of page: String, track: String, order: String) -> String {
        """
        SELECT j.sequence, j.sample_id, j.version, j.state, j.sent_at, j.hardware_id, j.name, j.latitude, j.longitude, j.sender, j.protocol_id,
            j.protocol_version, j.protocol::text,
            -- as StoredFieldSample reads them; without what was withdrawn, and without whoever shares the tank
            j.sample_id, j.slot, j.tank_id, j.device_id, j.hardware_id, false, j.version, j.state, coalesce(j.content::text, '{}'),
            CASE WHEN \(track) THEN j.track END, j.clock_offset, j.received_at, j.sent_at, j.review, j.review_note, j.reviewed_at,
            NULL::bigint, NULL::text, NULL::boolean, '{}'::uuid[], '{}'::text[], '{}'::integer[], '{}'::integer[], '{}'::integer[],
            '{}'::timestamptz[], '{}'::text[]
        FROM (
            SELECT n.sequence FROM person_received n
            WHERE \(page)
        ) AS page
        JOIN person_received j ON j.sequence = page.sequence
        ORDER BY j.sequence \(order)
        """
    }

    static func decode(_ row: inout RowReader) throws -> ReceivedSample {
        let sequence = try row.read(Int64.self)
        let (id, version) = try (row.read(FieldSampleID.self), row.read(Int32.self))
        let state = try row.read(FieldSample.State.self)
        let sentAt: Timestamp = try row.read()
        let (hardwareID, name) = try (row.read(String.self), row.read(String?.self))
        let (latitude, longitude) = try (row.read(Double?.self), row.read(Double?.self))
        let sender = try row.read(String?.self)
        let own = try FieldProtocol(
            id: row.read(String?.self), version: row.read(Int32?.self), content: row.read(String?.self))
        let stored = try StoredFieldSample(&row)
        return ReceivedSample(
            sequence: sequence, id: id, version: version, state: state, sentAt: sentAt, hardwareID: hardwareID,
            name: name, latitude: latitude, longitude: longitude, sender: sender, stored: stored, ownProtocol: own)
    }
}

/// Reads what the named project received after a number, in the order in which it came.
struct PageReceivedSamples: Statement {
    static let sql = ReceivedRows.sql(
        of: """
            n.sequence > $1 AND (NOT $3 OR n.state = 'done' AND n.is_newest) AND ($5::text IS NULL OR n.hardware_id = $5)
            ORDER BY n.sequence
            LIMIT $2
            """, track: "$4", order: "ASC")

    let sequence: Int64
    let limit: Int64
    let isPresent: Bool
    let hasTracks: Bool
    let device: Device.HardwareID?

    /// - Parameters:
    ///   - device: Only what came of this one.
    ///   - isPresent: Only the newest version of each sample that is not withdrawn.
    ///   - hasTracks: Whether their tracks are read, which are long.
    init(
        after sequence: Int64, of device: Device.HardwareID? = nil, isPresent: Bool = false, hasTracks: Bool = true,
        limit: Int
    ) {
        self.sequence = sequence
        self.isPresent = isPresent
        self.hasTracks = hasTracks
        self.device = device
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(sequence)
        parameters.append(limit)
        parameters.append(isPresent)
        parameters.append(hasTracks)
        parameters.append(device?.text)
    }

    static func decode(_ row: inout RowReader) throws -> ReceivedSample { try ReceivedRows.decode(&row) }
}

/// Reads the samples that the named project received, each as it is now, the last that came first, below a number; without their tracks.
struct PageNewestReceived: Statement {
    static let sql = ReceivedRows.sql(
        of: """
            n.sequence < $1 AND n.is_newest
            ORDER BY n.sequence DESC
            LIMIT $2
            """, track: "false", order: "DESC")

    let sequence: Int64
    let limit: Int64

    init(before sequence: Int64, limit: Int) {
        self.sequence = sequence
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(sequence)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ReceivedSample { try ReceivedRows.decode(&row) }
}

/// Reads a sample that the named project received, as it is now.
struct FindReceivedSample: Statement {
    static let sql = ReceivedRows.sql(of: "n.sample_id = $1 AND n.is_newest", track: "true", order: "ASC")

    let id: FieldSampleID

    init(_ id: FieldSampleID) { self.id = id }

    func bind(_ parameters: inout Parameters) { parameters.append(id) }

    static func decode(_ row: inout RowReader) throws -> ReceivedSample { try ReceivedRows.decode(&row) }
}
