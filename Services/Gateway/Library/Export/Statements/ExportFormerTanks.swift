import Postgres
import Store
import WaterQuality

/// Exports a page of the person's own words and deeds in tanks that they do not see any more, as JSON.
struct ExportFormerTanks: ExportedPage {
    static let sql = "SELECT source, slot, id, written::text FROM own_care_of_former_tanks($1, $2, $3, $4, $5)"

    /// A place in the order of sources and ids.
    struct Cursor: Sendable {
        struct ID: RowUUID {
            let rawValue: UInt128
        }

        var source: String
        var slot: Slot
        var id: ID

        /// Before all.
        fileprivate static let start = Cursor(source: "", slot: Slot.all[0], id: ID(rawValue: 0))
    }

    let after: Cursor
    let limit: Int64

    init(after: Cursor?, limit: Int) {
        self.after = after ?? .start
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after.source)
        parameters.append(after.slot)
        parameters.append(after.id)
        parameters.append(limit)
        parameters.append(Parameter.allCases.map(\.name))
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(cursor: Cursor(source: row.read(), slot: row.read(), id: row.read()), json: row.read())
    }
}

/// Reads the next photo that the person added to a tank that they do not see any more.
struct ReadNextFormerPhoto: Statement {
    static let sql = "SELECT photo, device, type, content FROM next_own_photo_of_former_tanks($1)"

    struct Row: Sendable {
        var photo: JournalPhotoID
        var hardwareID: String
        var type: String
        var content: [UInt8]
    }

    let after: JournalPhotoID
    func bind(_ parameters: inout Parameters) { parameters.append(after) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(photo: row.read(), hardwareID: row.read(), type: row.read(), content: row.read())
    }
}
