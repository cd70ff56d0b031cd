import Instants
import Routes
import Store
import WaterQuality

/// The inputs of the routes of work on the water.
enum WorkInputs {
    static let listID = "listWork"

    static let work = Input.path("work", Format<WorkID>.id, "The id that the client gave the work.")
    static let kind = Input.field("kind", .choice(Work.Kind.self), "What is done.")
    static let from = Input.optionalField(
        "from", .timestamp, "When it began; without it, it begins now. 31 days ago at most.")
    static let until = Input.optionalField("until", .timestamp, "Until when: twelve hours after its beginning at most.")
    static let minutes = Input.optionalField(
        "minutes", .integer(1...longest),
        "For how long, instead of until. Without both, 15 for feeding and 30 for all else.")
    static let keepsHard = Input.field(
        "keepsHard", .boolean, default: true,
        "Whether the person hears of a value beyond their own critical limits at once, or waits for fifteen minutes.")
    static let moreMinutes = Input.field(
        "minutes", .integer(1...longest), default: 15, "By how much longer it lasts.")
    static let before = Input.optionalQuery(
        "before", Format<WorkPlace>.cursor(of: listID), "The member next of the page before.")

    private static let longest = Int(Work.longest.components.seconds / 60)
}

/// The place of work in the list, as clients carry it.
struct WorkPlace: CursorKey {
    let from: Timestamp
    let id: WorkID

    init(_ work: ShownWork) { (from, id) = (work.from, work.id) }

    var cursorParts: [JSON] { [.integer(from.microseconds), .string(id.description)] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 2, case .integer(let time) = parts[0], case .string(let text) = parts[1],
            Timestamp.sayable.contains(time), let id = WorkID(text)
        else { return nil }
        (from, self.id) = (Timestamp(microseconds: time), id)
    }
}
