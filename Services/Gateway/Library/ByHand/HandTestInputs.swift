import Instants
import Routes
import Store
import WaterQuality

/// The inputs of the routes of tests by hand.
enum HandTestInputs {
    static let listID = "listTests"

    static let test = Input<HandTestID>.path(
        "test",
        .reading(
            "test id", example: "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e0f", count: 36...36, pattern: "^[0-9A-Fa-f-]+$"
        ) { text throws(Fault) in
            guard let id = HandTestID(text) else { throw .notUUID }
            return id
        }, "The id of the test, a UUID that the client makes.")

    static let at = Input.field("at", .timestamp, "When the water was tested: since 1990, and not in the future.")

    static let kit = Input<Kit?>.optionalField(
        "kit",
        .reading("kit", example: "api-freshwater", count: 1...40, pattern: "^[a-z0-9-]+$") { text throws(Fault) in
            guard let kit = Kit.named(text) else { throw .notChoice(Kit.catalogue.map(\.id)) }
            return kit
        }, "The kit; null: another one, or a meter.")

    static let note = Input<String?>.optionalField("note", .text(1...500), "What else is to be said of it.")

    static let values = Input.field(
        "values", .list(of: Format<HandValueInput>.handValue, count: 1...Parameter.count),
        """
        What was measured, each parameter once: a value in a unit, without one in that of the kit, or in the canonical one; or, in place of \
        both, the choice among the steps of the kit.
        """)

    static let confirmed = Input.field(
        "confirmed", .boolean, default: false, "Whether values that are far from the last ones are right all the same.")

    static let limit = Input<Int>.limit(1...200, default: 50)
    static let before = Input<HandTestCursor?>.optionalQuery(
        "before", .cursor(of: listID), "The member next of the page before.")

    /// The content of a request.
    /// - Parameter now: The database's time.
    /// - Throws: `Problem` at the value that cannot be.
    static func content(_ inputs: Inputs, now: Timestamp) throws(Problem) -> HandTestContent {
        let time = inputs[at]
        guard time <= now + .seconds(5 * 60), time >= .earliestTest else { throw Problem(at, .notTimeOfTest) }
        var values: [HandValue] = []
        for (index, input) in inputs[Self.values].enumerated() {
            do throws(Fault) {
                let value = try input.value(by: inputs[kit])
                guard !values.contains(where: { $0.parameter == value.parameter }) else { throw .repeated }
                values.append(value)
            } catch {
                throw Problem(Self.values, error.inside("\(index)"))
            }
        }
        values.sort { $0.parameter.rawValue < $1.parameter.rawValue }
        return HandTestContent(at: time, kit: inputs[kit]?.id, note: inputs[note], values: values)
    }
}

extension Timestamp {
    /// 1990-01-01T00:00:00Z
    fileprivate static let earliestTest = Timestamp(microseconds: 631_152_000 * 1_000_000)
}

extension Fault {
    fileprivate static let notTimeOfTest = Fault("not-a-time-of-a-test")
}

/// The place of a test in the list, as clients carry it.
struct HandTestCursor: CursorKey {
    let place: PageHandTests.Place

    init(_ test: HandTest) { place = PageHandTests.Place(at: test.content.at, id: test.id) }

    var cursorParts: [JSON] { [.integer(place.at.microseconds), .string("\(place.id)")] }

    init?(cursorParts parts: [JSON]) {
        guard parts.count == 2, case .integer(let time) = parts[0], case .string(let text) = parts[1],
            Timestamp.sayable.contains(time), let id = HandTestID(text)
        else { return nil }
        place = PageHandTests.Place(at: Timestamp(microseconds: time), id: id)
    }
}
