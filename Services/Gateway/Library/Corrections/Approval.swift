import HTTPTypes
import Instants
import Routes
import Store
import WaterQuality

/// The id of an approval, which the database chose.
struct ApprovalID: RowUUID {
    let rawValue: UInt128
}

/// Hours of a tank that its owner stands for, or stood for until they withdrew it.
struct Approval: Sendable {
    struct Withdrawal: Sendable {
        var at: Timestamp
        /// `nil`: somebody who is gone.
        var by: String?
        var reason: String?
    }

    var id: ApprovalID
    /// Whole hours (UTC).
    var period: Range<Timestamp>
    var at: Timestamp
    var note: String?
    /// The person who approved; `nil`: somebody who is gone.
    var by: CarePerson?
    /// `nil` while it holds.
    var withdrawal: Withdrawal?

    private static let withdrawal = Output<Withdrawal>.object(
        "WithdrawnApproval", "The end of an approval.",
        [
            .member("at", .timestamp, "When it was withdrawn.") { $0.at },
            .member("by", .optional(of: .text), "By whom; null: somebody who is gone.", example: "Ana") { $0.by },
            .member("reason", .optional(of: .text), "Why.", example: "The probe had slipped.") { $0.reason },
        ])

    static let output = Output<Approval>.object(
        "Approval", "Hours whose readings the owner of a tank has looked through and stands for.",
        [
            .member("id", .id, "Its id.", example: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e") { $0.id },
            .member("from", .timestamp, "The beginning, included.") { $0.period.lowerBound },
            .member("until", .timestamp, "The end, not included.") { $0.period.upperBound },
            .member("at", .timestamp, "When they were approved.") { $0.at },
            .member("note", .optional(of: .text), "What is to be said of them.", example: .null) { $0.note },
            .member("by", .optional(of: CarePerson.output), "Who approved them; null: somebody who is gone.") { $0.by },
            .member(
                "withdrawn", .optional(of: withdrawal), "How it ended; null while it holds.", example: .null
            ) { $0.withdrawal },
        ])
}

extension [Approval] {
    /// Whether one of them covers a time and holds.
    func holds(at time: Timestamp) -> Bool { contains { $0.withdrawal == nil && $0.period.contains(time) } }
}

/// The place of an approval in the list, as clients carry it.
struct ApprovalPlace: CursorKey {
    let at: Timestamp
    let id: ApprovalID

    init(_ approval: Approval) { (at, id) = (approval.at, approval.id) }

    var cursorParts: [JSON] { [.integer(at.microseconds), .string(id.description)] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 2, case .integer(let time) = parts[0], case .string(let text) = parts[1],
            Timestamp.sayable.contains(time), let id = ApprovalID(text)
        else { return nil }
        (at, self.id) = (Timestamp(microseconds: time), id)
    }
}
