import Instants
import Postgres
import Store
import WaterQuality

/// What a photo is of.
enum PhotoSubject: Hashable, Sendable {
    case entry(JournalEntryID)
    case sample(FieldSampleID)

    fileprivate var number: UInt128 {
        switch self {
        case .entry(let id): id.rawValue
        case .sample(let id): id.rawValue
        }
    }

    /// - Returns: `nil` where the row names neither.
    init?(entry: JournalEntryID?, sample: FieldSampleID?) {
        switch (entry, sample) {
        case (let entry?, _): self = .entry(entry)
        case (nil, let sample?): self = .sample(sample)
        case (nil, nil): return nil
        }
    }
}

/// A photo, by its ids.
struct PhotoKey: Hashable, Sendable {
    var tank: TankKey
    var subject: PhotoSubject
    var photo: JournalPhotoID
}

extension Parameters {
    /// Slot, tank, entry or sample, and photo.
    fileprivate mutating func append(_ key: PhotoKey) {
        append(key.tank)
        append(key.subject.number)
        append(key.photo)
    }
}

/// Finds a photo of an entry or a sample, without its picture.
struct FindPhoto: Statement {
    static let sql = """
        SELECT p.photo_id, p.type, p.width, p.height, length(p.content), p.taken_at, p.digest
        FROM journal_photo p WHERE p.slot = $1 AND p.tank_id = $2 AND $3 IN (p.entry_id, p.sample_id) AND p.photo_id = $4
        """

    let key: PhotoKey
    init(_ key: PhotoKey) { self.key = key }
    func bind(_ parameters: inout Parameters) { parameters.append(key) }

    static func decode(_ row: inout RowReader) throws -> ShownPhoto {
        try ShownPhoto(
            photo: JournalItem.Photo(
                id: row.read(), type: row.read(), width: row.read(), height: row.read(), bytes: row.read(),
                takenAt: row.read()),
            digest: row.read())
    }
}

/// Adds a photo; no row where one has its id already, perhaps of something else or in somebody else's tank.
struct AddPhoto: Statement {
    static let sql = """
        INSERT INTO journal_photo (slot, tank_id, entry_id, sample_id, photo_id, account_id, type, width, height, content, taken_at)
        VALUES ($1, $2, CASE WHEN $10 THEN NULL ELSE $3 END, CASE WHEN $10 THEN $3 END, $4, $5, $6, $7, $8, $9, $11)
        ON CONFLICT DO NOTHING
        RETURNING true
        """

    let key: PhotoKey
    let account: Account.ID
    let image: CleanImage
    let takenAt: Timestamp?

    init(_ key: PhotoKey, by account: Account.ID, _ image: CleanImage, takenAt: Timestamp? = nil) {
        self.key = key
        self.account = account
        self.image = image
        self.takenAt = takenAt
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(key)
        parameters.append(account)
        parameters.append(image.type)
        parameters.append(Int32(image.width))
        parameters.append(Int32(image.height))
        parameters.append(image.bytes)
        if case .sample = key.subject { parameters.append(true) } else { parameters.append(false) }
        parameters.append(takenAt)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Adds the small picture of a photo; no row where another is there.
struct SetSmallPhoto: Statement {
    static let sql = """
        UPDATE journal_photo SET small = $5, small_type = $6
        WHERE slot = $1 AND tank_id = $2 AND $3 IN (entry_id, sample_id) AND photo_id = $4 AND (small IS NULL OR small = $5)
        RETURNING true
        """

    let key: PhotoKey
    let image: CleanImage

    init(_ key: PhotoKey, _ image: CleanImage) {
        self.key = key
        self.image = image
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(key)
        parameters.append(image.bytes)
        parameters.append(image.type)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Reads a picture: the small one where that is asked for and has come.
struct ReadPhoto: Statement {
    static let sql = """
        SELECT CASE WHEN s.is_small THEN p.small_type ELSE p.type END, p.digest, s.is_small, $5 AND NOT s.is_small,
            CASE WHEN s.is_small THEN p.small ELSE p.content END
        FROM journal_photo p CROSS JOIN LATERAL (SELECT $5 AND p.small IS NOT NULL AS is_small) AS s
        WHERE p.slot = $1 AND p.tank_id = $2 AND $3 IN (p.entry_id, p.sample_id) AND p.photo_id = $4
        """

    let key: PhotoKey
    let isSmall: Bool

    init(_ key: PhotoKey, isSmall: Bool = false) {
        self.key = key
        self.isSmall = isSmall
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(key)
        parameters.append(isSmall)
    }

    static func decode(_ row: inout RowReader) throws -> PhotoContent {
        try PhotoContent(
            type: row.read(), digest: row.read(), isSmall: row.read(), isInPlace: row.read(), content: row.read())
    }
}

/// Removes a photo; no row where there is none.
struct RemovePhoto: Statement {
    static let sql = """
        DELETE FROM journal_photo WHERE slot = $1 AND tank_id = $2 AND $3 IN (entry_id, sample_id) AND photo_id = $4
        RETURNING true
        """

    let key: PhotoKey
    init(_ key: PhotoKey) { self.key = key }
    func bind(_ parameters: inout Parameters) { parameters.append(key) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
