import HTTPTypes
import Instants
import Routes
import Store
import WaterQuality

/// The place of a line in a journal, as clients carry it.
struct JournalCursor: CursorKey {
    let place: PageJournal.Place

    init(_ place: PageJournal.Place) { self.place = place }
    init(_ item: JournalItem) { self.init(PageJournal.Place(item)) }

    var cursorParts: [JSON] { [.integer(place.at.microseconds), .string(place.id.description)] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 2, case .integer(let time) = parts[0], Timestamp.sayable.contains(time),
            case .string(let text) = parts[1],
            let id = JournalEntryID(text)
        else { return nil }
        place = PageJournal.Place(at: Timestamp(microseconds: time), id: id)
    }
}

/// The inputs of the routes of the journal.
enum JournalInputs {
    static let entry = Input<JournalEntryID>.path("entry", .id, "The entry's id: a UUID that its client chose.")

    // MARK: Lists

    static let device = Input<Device.HardwareID?>.optionalQuery(
        "device", .hardwareID, "Only what happened in tanks of this device.")
    static let kinds = Input<[String]?>.optionalQuery(
        "kinds",
        .list(
            of: .reading("kind", example: "fed", count: 1...32, pattern: "^[a-zA-Z]+$") { text throws(Fault) in
                guard text.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { throw .pattern }
                return text
            }, count: 1...16), "Only these kinds, separated by commas.")
    static let limit = Input<Int>.limit(1...200, default: 50)

    /// The cursor of a list, by the name that says what comes.
    static func before(_ list: String) -> Input<JournalCursor?> {
        .optionalQuery("before", .cursor(of: list), "The member next of the page before.")
    }

    // MARK: Content

    static let kind = Input.field("kind", .choice(JournalKind.self), "What was done or seen.")
    static let at = Input.field("at", .timestamp, "When: not before 1990, and not in the future.")
    static let amount = Input.optionalField(
        "amount", .decimal(0.001...1_000_000).example(30), "How much: of waterChanged, fed and dosed, with a unit.")
    static let unit = Input.optionalField(
        "unit", .choice(JournalUnit.self),
        "Of waterChanged percent or litre; of fed gram; of dosed millilitre, gram, drop or tablet.")
    static let subject = Input.optionalField(
        "subject", .visibleText(1...80, example: "Java fern").example(.null),
        "What: the food, the fertiliser, the filter, the species. dosed, added, died and moved need it; waterChanged and note have none."
    )
    static let count = Input.optionalField(
        "count", .integer(1...100_000).example(.null), "How many: of added, died and moved.")
    static let text = Input.optionalField("text", .text(1...2000).example("Dechlorinated."), "What the person adds.")

    static let content: [any InputDeclaration] = [kind, at, amount, unit, subject, count, text]

    /// - Parameter now: The database's clock.
    /// - Throws: `Problem` for members that do not fit each other.
    static func read(_ inputs: Inputs, now: Timestamp) throws -> JournalContent {
        let content = JournalContent(
            kind: inputs[kind], at: inputs[at], amount: inputs[amount], unit: inputs[unit], subject: inputs[subject],
            count: inputs[count], text: inputs[text])
        guard let (part, fault) = content.fault(now: now) else { return content }
        throw Problem(.invalidInput, faults: [FieldFault(.body, part.rawValue, fault)])
    }
}
