import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The id of a stretch of work, which its client chose.
struct WorkID: RowUUID {
    let rawValue: UInt128
}

/// A stretch of work on the water as a person sees it.
struct ShownWork: Sendable {
    let id: WorkID
    let kind: Word<Work.Kind>
    let from: Timestamp
    /// When it ends unless somebody finishes it.
    let until: Timestamp
    let endsAt: Timestamp
    let keepsHard: Bool
    let version: Int32
    /// By the database's clock.
    let now: Timestamp
    let by: CarePerson?

    /// The columns of `person_work`, of which a row may be missing.
    static func columns(_ row: String) -> String {
        """
        \(row).work_id, \(row).kind, \(row).begins_at, \(row).until, \(row).ends_at, \(row).keeps_hard, \(row).version, now(),
            \(row).part, \(row).name, \(row).is_oneself
        """
    }

    /// - Returns: `nil` where there is no row.
    init?(_ row: inout RowReader) throws {
        let (id, kind) = try (row.read(WorkID?.self), row.read(String?.self))
        let (from, until, endsAt) = try (
            row.read(Timestamp?.self), row.read(Timestamp?.self), row.read(Timestamp?.self)
        )
        let (keepsHard, version, now) = try (row.read(Bool?.self), row.read(Int32?.self), row.read(Timestamp.self))
        by = try CarePerson.read(&row)
        guard let id, let kind, let from, let until, let endsAt, let keepsHard, let version else { return nil }
        (self.id, self.kind, self.from, self.until, self.endsAt) = (id, Word(rawValue: kind), from, until, endsAt)
        (self.keepsHard, self.version, self.now) = (keepsHard, version, now)
    }

    var tag: EntityTag { EntityTag(version: Int64(version)) }
    var isCurrent: Bool { from <= now && now < endsAt }

    func answer(isNew: Bool = false) -> Answer<ShownWork> {
        .value(self, status: isNew ? .created : .ok, headers: [.eTag: tag.description])
    }

    static let output = Output<ShownWork>.object(
        "Work",
        "A stretch of time in which somebody works on the water. Nothing alarms meanwhile but critical limits, and what is measured counts in no figure.",
        [
            .member(
                "id", .id, "The id that its client gave it.", example: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            ) { $0.id },
            .member("kind", .choice(Word<Work.Kind>.self), "What is done.", example: "waterChange") { $0.kind },
            .member("from", .timestamp, "When it began.") { $0.from },
            .member("until", .timestamp, "When it ends by itself.") { $0.until },
            .member(
                "endedAt", .optional(of: .timestamp), "When it ended; null while it goes on.", example: .null
            ) { $0.endsAt <= $0.now ? $0.endsAt : nil },
            .member(
                "by", .optional(of: CarePerson.output),
                "Who began it; null where nobody is known: an operator, or somebody who is gone."
            ) { $0.by },
            .member("version", .integer, "Counts its changes.", example: 1) { Int($0.version) },
            .member(
                "keepsHard", .boolean,
                "Whether whoever began it hears of a critical value of theirs at once; else after fifteen minutes. All others hear of it at once.",
                example: true
            ) { $0.keepsHard },
        ])
}
