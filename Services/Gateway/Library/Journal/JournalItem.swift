import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// An entry of the journal, identified by its client's UUID.
struct JournalEntryID: RowUUID {
    let rawValue: UInt128
}

/// A photo of an entry or a sample, identified by its client's UUID.
struct JournalPhotoID: RowUUID {
    let rawValue: UInt128
}

/// A line of a journal: an entry that people write, or a test by hand, work on the water, a reminder that was done, or a
/// probe that was calibrated.
struct JournalItem: Sendable {
    struct Photo: Sendable {
        var id: JournalPhotoID
        var type: String
        var width: Int32
        var height: Int32
        var bytes: Int32
        /// As the client said of a photo of a sample.
        var takenAt: Timestamp?
    }

    var id: JournalEntryID
    var device: String
    /// A `JournalKind`, or another word of what joins the list.
    var kind: String
    var at: Timestamp
    var amount: Double?
    var unit: String?
    var subject: String?
    var count: Int32?
    var text: String?
    var version: Int32
    /// The members that only lines of this kind have.
    var details: JournalDetails?
    var by: CarePerson?
    var photos: [Photo]

    var tag: EntityTag { EntityTag(version: Int64(version)) }

    /// The content as it was written; `nil` for what is no entry of this version.
    var content: JournalContent? {
        guard let kind = JournalKind(rawValue: kind) else { return nil }
        return JournalContent(
            kind: kind, at: at, amount: amount, unit: unit.flatMap(JournalUnit.init(rawValue:)), subject: subject,
            count: count.map(Int.init), text: text)
    }

    /// The SQL of a line's columns, from a row `j` of `journal_item` with `hardware_id`.
    static let columns = """
        j.item_id, j.hardware_id, j.kind, j.happened_at, j.amount, j.unit, j.subject, j.count, j.text, j.version,
            journal_details(j.source, j.slot, j.item_id)::text,
            \(CarePerson.columns), photo.ids, photo.types, photo.widths, photo.heights, photo.sizes
        """

    static let joins = """
        \(CarePerson.join("j"))
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(p.photo_id ORDER BY p.place), '{}') AS ids,
                coalesce(array_agg(p.type ORDER BY p.place), '{}') AS types,
                coalesce(array_agg(p.width ORDER BY p.place), '{}') AS widths,
                coalesce(array_agg(p.height ORDER BY p.place), '{}') AS heights,
                coalesce(array_agg(length(p.content) ORDER BY p.place), '{}') AS sizes
            FROM journal_photo p
            WHERE j.source = 'entry' AND p.slot = j.slot AND p.tank_id = j.tank_id AND p.entry_id = j.item_id
        ) AS photo
        """

    init(_ row: inout RowReader) throws {
        id = try row.read()
        device = try row.read()
        kind = try row.read()
        at = try row.read()
        amount = try row.read()
        unit = try row.read()
        subject = try row.read()
        count = try row.read()
        text = try row.read()
        version = try row.read()
        details = try row.read(String?.self).flatMap(JournalDetails.init)
        by = try CarePerson.read(&row)
        let (ids, types): ([JournalPhotoID], [String]) = try (row.read(), row.read())
        let (widths, heights, sizes): ([Int32], [Int32], [Int32]) = try (row.read(), row.read(), row.read())
        photos = ids.indices.map {
            Photo(id: ids[$0], type: types[$0], width: widths[$0], height: heights[$0], bytes: sizes[$0])
        }
    }

    static let output = Output<JournalItem>.object(
        "JournalItem", "A line of a journal.",
        [
            .member("id", .id, "The id that its client gave it.") { $0.id },
            .member("device", .text, "The device in whose tank it happened.", example: "pond-1") { $0.device },
            .member(
                "kind", .text,
                """
                Of entries \(JournalKind.allCases.map(\.rawValue).joined(separator: ", ")). What is written elsewhere, and changed there: \
                tested, a test by hand; worked, work on the water; done, a reminder that was done; calibrated, a probe \
                that was checked, cleaned, calibrated or replaced. Later versions have more kinds.
                """,
                example: "waterChanged"
            ) { $0.kind },
            .member("at", .timestamp, "When it happened.") { $0.at },
            .member("amount", .optional(of: .decimal), "How much, in the unit.", example: 30) { $0.amount },
            .member(
                "unit", .optional(of: .text), "percent, litre, millilitre, gram, drop or tablet.", example: "percent"
            ) {
                $0.unit
            },
            .member(
                "subject", .optional(of: .text), "The food, the fertiliser, the filter, the species.", example: .null
            ) {
                $0.subject
            },
            .member("count", .optional(of: .integer), "How many.", example: .null) { $0.count.map(Int.init) },
            .member("text", .optional(of: .text), "What the person wrote.", example: "Dechlorinated.") { $0.text },
            .member("photos", .list(of: photo), "Its photos, in the order in which they came.") { $0.photos },
            .member("by", .optional(of: CarePerson.output), "Who did it; null: somebody who is gone.") { $0.by },
            .member(
                "details", .optional(of: .json),
                """
                What only lines of this kind have; null for entries. Of tested: kit, and values with parameter, value, unit, \
                canonicalValue, lower, upper and choice, as the test has them. Of worked: kind, from, until, and endedAt, null while it \
                goes on. Of done: reminder, its id; name and activity, as the reminder has them now. Of calibrated: parameter and kind.
                """,
                example: .null
            ) { $0.details?.json },
            .member("version", .integer, "Counts its changes.") { Int($0.version) },
        ])

    static let photo = Output<Photo>.object("JournalPhoto", "A photo of an entry.", photoMembers)

    static let photoMembers: [OutputMember<Photo>] = [
        .member("id", .id, "The id that its client gave it.") { $0.id },
        .member("type", .text, "Its media type.", example: "image/jpeg") { $0.type },
        .member("width", .integer, "In pixels.", example: 1600) { Int($0.width) },
        .member("height", .integer, "In pixels.", example: 1200) { Int($0.height) },
        .member("bytes", .integer, "Its size.", example: 183_204) { Int($0.bytes) },
    ]
}
