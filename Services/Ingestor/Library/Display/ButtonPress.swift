import ServiceKit
import WaterQuality

/// A press of a device's button: `{"id":"7f3a-12","answer":"onIt"}`, or `{"id":"7f3a-13","work":"waterChange"}`.
struct ButtonPress: Equatable, Sendable {
    /// The word of whoever stands at the device about what goes on. The raw values are a promise to firmware.
    enum Answer: String, CaseIterable, Sendable {
        /// The owner is on it.
        case onIt
        /// The owner is to hear nothing of it for an hour.
        case snooze
    }

    /// The wish of whoever pressed.
    enum Wish: Equatable, Sendable {
        case answer(Answer)
        /// Work on the water begins.
        case work(Work.Kind)
        /// The work that goes on is finished.
        case finishWork
    }

    /// The outcome of a press.
    enum Outcome: String, MetricLabel {
        static let labelName = "outcome"

        case done
        /// The press came before, or the one before it was a moment ago.
        case repeated
        /// The owner does not let the device show anything.
        case off
        /// The tank was worked on for too long already.
        case refused
        /// No press.
        case malformed
    }

    private static let longest = 128

    /// The id that the device gave the press: a press that comes again has the same.
    var id: String
    var wish: Wish

    init(id: String, _ wish: Wish) {
        self.id = id
        self.wish = wish
    }

    init(id: String, answer: Answer) { self.init(id: id, .answer(answer)) }

    /// - Returns: nil for what is no press.
    init?(_ payload: [UInt8]) {
        guard payload.count <= Self.longest, let press = try? Self.read(payload) else { return nil }
        self = press
    }

    private static func read(_ payload: [UInt8]) throws(JSONScanner.Fault) -> ButtonPress? {
        var scanner = JSONScanner(payload)
        var id: String?
        var wish: Wish?
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("id", .string): id = try scanner.string()
            case ("answer", .string): wish = Answer(rawValue: try scanner.string()).map { .answer($0) }
            case ("work", .string): wish = Self.work(try scanner.string())
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        // As of a device's id: visible, and nothing to anybody who reads it.
        guard let id = id.flatMap({ Device.HardwareID($0) })?.text, let wish else { return nil }
        return ButtonPress(id: id, wish)
    }

    private static let finish = "finish"

    private static func work(_ text: String) -> Wish? {
        text == finish ? .finishWork : Work.Kind(rawValue: text).map { .work($0) }
    }

    /// The word for the database, and whether it is about work.
    var said: (word: String, isWork: Bool) {
        switch wish {
        case .answer(let answer): (answer.rawValue, false)
        case .work(let kind): (kind.rawValue, true)
        case .finishWork: (Self.finish, true)
        }
    }
}
