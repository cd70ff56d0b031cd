import Instants
import Postgres
import Store
import WaterQuality

/// Something that a person wrote or pictured in a tank of somebody else's that they do not see any more.
struct FormerWords: Sendable {
    /// Where it is. The raw values are the database's, and a promise to clients.
    enum Source: String, CaseIterable, Sendable {
        case entry, photo, test, calibration, item, reminder, sample
    }

    var source: Source
    var id: JournalEntryID
    var device: String
    var at: Timestamp
    var words: String?
}

/// A page of the person's own words and pictures in such tanks, newest first, below a place in that order.
struct PageFormerWords: Statement {
    static let sql = "SELECT source, id, device, at, words FROM own_words_of_former_tanks($1, $2, $3)"

    let place: PageJournal.Place
    let limit: Int64

    init(below place: PageJournal.Place, limit: Int) {
        self.place = place
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(place.at)
        parameters.append(place.id)
        parameters.append(limit)
    }

    /// - Returns: `nil` for what only a newer version knows.
    static func decode(_ row: inout RowReader) throws -> FormerWords? {
        let source = try FormerWords.Source(rawValue: row.read())
        let (id, device, at) = try (row.read(JournalEntryID.self), row.read(String.self), row.read(Timestamp.self))
        let words = try row.read(String?.self)
        return source.map { FormerWords(source: $0, id: id, device: device, at: at, words: words) }
    }
}

/// Reads a photo that the person added to such a tank.
struct ReadFormerPhoto: Statement {
    static let sql = "SELECT type, digest, content FROM own_photo_of_former_tank($1)"

    let photo: JournalPhotoID
    func bind(_ parameters: inout Parameters) { parameters.append(photo) }

    static func decode(_ row: inout RowReader) throws -> PhotoContent {
        try PhotoContent(
            type: row.read(), digest: row.read(), isSmall: false, isInPlace: false, content: row.read())
    }
}

/// Removes one of the person's own words or pictures in such a tank; `false` where there is none.
struct RemoveFormerWords: Statement {
    static let sql = "SELECT remove_own_words_of_former_tank($1, $2)"

    let source: FormerWords.Source
    let id: JournalEntryID

    func bind(_ parameters: inout Parameters) {
        parameters.append(source.rawValue)
        parameters.append(id)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
