import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// A version of a sample as it is stored, for whoever asks.
struct StoredFieldSample: Sendable {
    struct Review: Sendable {
        var verdict: Verdict
        var note: String?
        var at: Timestamp
    }

    /// What the owner, or a project's administrators, hold of it. The raw values are stored.
    enum Verdict: String, CaseIterable, Sendable {
        case approved, hasIssues, rejected
    }

    var id: FieldSampleID
    var tank: TankKey
    var device: DeviceKey
    var hardwareID: String
    /// Whether whoever asks owns the tank now.
    var isOwners: Bool
    var version: Int32
    var sample: FieldSample
    /// Seconds that the sender's clock was ahead at the first receipt; `nil`: it was not said.
    var clockOffset: Float?
    var receivedAt: Timestamp
    /// The last change of the content, or of what was said of it.
    var changedAt: Timestamp
    var review: Review?
    /// Who took it; `nil`: somebody who is gone.
    var author: CarePerson?
    var photos: [JournalItem.Photo]
    /// The names of those who see it because the device or place is theirs.
    var receivers: [String]

    var tag: EntityTag { EntityTag(version: Int64(version)) }

    /// Whether it was begun, by the sender's clock, after it came.
    var isFlagged: Bool { sample.begunAt > receivedAt + FieldSample.furthestAhead }

    var means: [FieldValue] {
        FieldProtocol.builtIn(sample.protocolID, version: sample.protocolVersion)?.means(of: sample.values) ?? []
    }

    /// The columns of `init(_:)`, from a row `j` with those of `field_sample`.
    static let columns = """
        j.sample_id, j.slot, j.tank_id, j.device_id, d.hardware_id, part.is_owner, j.version, j.state, j.content::text, j.track,
            j.clock_offset, j.received_at, j.changed_at, j.review, j.review_note, j.reviewed_at, \(CarePerson.columns), photo.ids,
            photo.types, photo.widths, photo.heights, photo.sizes, photo.times, ARRAY(
                SELECT p.name FROM tank_person p
                WHERE p.slot = j.slot AND p.tank_id = j.tank_id AND p.part = j.tank_id AND NOT p.is_oneself) || receivers_of(j.sample_id)
        """

    static let joins = """
        JOIN device d ON d.slot = j.slot AND d.device_id = j.device_id
        \(CarePerson.join("j"))
        CROSS JOIN LATERAL (
            SELECT coalesce(bool_or(p.role = 'owner' AND p.unlinked_at IS NULL), false) AS is_owner
            FROM person_tank p WHERE p.slot = j.slot AND p.tank_id = j.tank_id
        ) AS part
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(p.photo_id ORDER BY p.place), '{}') AS ids,
                coalesce(array_agg(p.type ORDER BY p.place), '{}') AS types,
                coalesce(array_agg(p.width ORDER BY p.place), '{}') AS widths,
                coalesce(array_agg(p.height ORDER BY p.place), '{}') AS heights,
                coalesce(array_agg(length(p.content) ORDER BY p.place), '{}') AS sizes,
                coalesce(array_agg(p.taken_at ORDER BY p.place), '{}') AS times
            FROM journal_photo p WHERE p.slot = j.slot AND p.tank_id = j.tank_id AND p.sample_id = j.sample_id
        ) AS photo
        """

    /// - Returns: `nil` for what only a newer version of the service can read.
    init?(_ row: inout RowReader) throws {
        id = try row.read()
        tank = try TankKey(slot: row.read(), tank: row.read())
        device = try DeviceKey(slot: tank.slot, device: row.read())
        hardwareID = try row.read()
        isOwners = try row.read()
        version = try row.read()
        let state = try FieldSample.State(rawValue: row.read(String.self))
        let (content, track) = try (row.read(String.self), row.read([UInt8]?.self))
        clockOffset = try row.read()
        receivedAt = try row.read()
        changedAt = try row.read()
        let verdict = try row.read(String?.self).flatMap(Verdict.init(rawValue:))
        let (note, reviewedAt) = try (row.read(String?.self), row.read(Timestamp?.self))
        if let verdict, let reviewedAt { review = Review(verdict: verdict, note: note, at: reviewedAt) }
        author = try CarePerson.read(&row)
        let (ids, types): ([JournalPhotoID], [String]) = try (row.read(), row.read())
        let (widths, heights, sizes): ([Int32], [Int32], [Int32]) = try (row.read(), row.read(), row.read())
        let times = try row.read([Timestamp?].self)
        photos = ids.indices.map {
            JournalItem.Photo(
                id: ids[$0], type: types[$0], width: widths[$0], height: heights[$0], bytes: sizes[$0],
                takenAt: times[$0])
        }
        receivers = try row.read()
        guard let state, let json = try? JSON(reading: Array(content.utf8)),
            var sample = try? Format<FieldSample>.storedSample.readJSON(json)
        else { return nil }
        sample.state = state
        if let track { sample.track = FieldTrack(bytes: track) ?? FieldTrack() }
        self.sample = sample
    }
}
