import Instants
import Routes
import Store
import WaterQuality

/// The number of a deletion, which the database chose.
struct DeletionID: RowUUID {
    let rawValue: UInt128
}

/// Readings of a tank that its owner, or an operator, deleted.
struct Deletion: Sendable {
    var id: DeletionID
    var at: Timestamp
    var period: Range<Timestamp>
    var parameters: ParameterSet
    var messages: Int
    var readings: Int
    var reason: String?
    /// `nil`: an operator, or somebody who is gone.
    var by: CarePerson?

    static let output = Output<Deletion>.object(
        "Deletion", "Readings that were deleted. What they had made somebody be told stays told.",
        [
            .member("id", .id, "Its id.", example: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e") { $0.id },
            .member("at", .timestamp, "When they were deleted.") { $0.at },
            .member("from", .timestamp, "The beginning of the stretch, included.") { $0.period.lowerBound },
            .member("until", .timestamp, "The end of the stretch, not included.") { $0.period.upperBound },
            .member(
                "parameters", .list(of: .text), "The parameters of which values were deleted, where there were any.",
                example: ["ph"]
            ) { $0.parameters.parameters.map(\.name) },
            .member("messages", .integer, "The messages of which something was deleted.", example: 120) { $0.messages },
            .member("readings", .integer, "The values that were deleted.", example: 120) { $0.readings },
            .member("reason", .optional(of: .text), "Why, in the words of who deleted them.", example: .null) {
                $0.reason
            },
            .member(
                "by", .optional(of: CarePerson.output), "Who deleted them; null: an operator, or somebody who is gone."
            ) { $0.by },
        ])
}

/// The place of a deletion in the list, as clients carry it.
struct DeletionPlace: CursorKey {
    let at: Timestamp
    let id: DeletionID

    init(_ deletion: Deletion) { (at, id) = (deletion.at, deletion.id) }

    var cursorParts: [JSON] { [.integer(at.microseconds), .string(id.description)] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 2, case .integer(let time) = parts[0], case .string(let text) = parts[1],
            Timestamp.sayable.contains(time), let id = DeletionID(text)
        else { return nil }
        (at, self.id) = (Timestamp(microseconds: time), id)
    }
}
