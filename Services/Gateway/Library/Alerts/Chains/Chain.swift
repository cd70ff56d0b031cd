import Instants
import Routes
import Store
import WaterQuality

/// Another person who shares a device, as those who share it see them.
struct Callable: Hashable, Sendable {
    /// Of their ownership.
    var id: Int64
    var name: String

    static let output = Output<Callable>.object(
        "PersonOfDevice", "Another person who shares a device.",
        [
            .member("id", .text, "The id of their part in the device.", example: "42") { "\($0.id)" },
            .member("name", .text, "Their name, as others see it.", example: "Ana") { $0.name },
        ])
}

/// What another person has agreed to. The raw values are a promise to clients.
enum CallAgreement: String, CaseIterable, Sendable, Encodable {
    case no
    /// Not within their quiet hours.
    case daytime
    case always

    /// The form in which it is stored.
    var stored: String? { self == .no ? nil : rawValue }
    init(stored: String?) { self = stored.flatMap(CallAgreement.init(rawValue:)) ?? .no }
}

/// A person's chain for a device.
struct Chain: Sendable {
    struct Step: Sendable {
        var after: Int
        var person: Callable?
        var endpoint: Endpoint.ID?
        var agreed: CallAgreement?
        /// What would come of it; a word of the database's function.
        var outlook: String
    }

    /// The last time that somebody was to be called.
    struct Last: Sendable {
        var kind: Word<Alert.Kind>
        var parameter: Word<Parameter>?
        var side: Side?
        var beganAt: Timestamp
        var answeredBy: String?
        var isOwn: Bool
        var answeredAt: Timestamp?
        var endedAt: Timestamp?
    }

    var steps: [Step]
    var people: [Callable]
    var last: Last?

    static let outlooks =
        "told; quietHours: the person has quiet hours; notAgreed: they have not agreed to be called; unreachable: no endpoint "
        + "of theirs can be used; gone: they do not share the device any more, or the endpoint is not in use"

    static let output = Output<Chain>.object(
        "Chain", "Who is told when nobody answers an alarm of the person's about a device.",
        [
            .member("steps", .list(of: step), "In the order of their minutes.") { $0.steps },
            .member("people", .list(of: Callable.output), "Everybody else who shares the device: who can be called.") {
                $0.people
            },
            .member("last", .optional(of: last), "The last alarm for which somebody was to be called; null: none yet.")
            {
                $0.last
            },
        ])

    private static let step = Output<Step>.object(
        "ChainStep", "A step of a chain: a person, or an endpoint of one's own.",
        [
            .member("after", .integer, "How many minutes after the alarm.", example: 10) { $0.after },
            .member("person", .optional(of: Callable.output), "Who is called; null for an endpoint.") { $0.person },
            .member("endpoint", .optional(of: .integer), "The endpoint, which is not told at once; null for a person.")
            {
                $0.endpoint.map { Int($0.rawValue) }
            },
            .member(
                "agreed", .optional(of: .choice(CallAgreement.self)),
                "What the person has agreed to: no; daytime: not within their quiet hours; always. Null for an endpoint."
            ) { $0.agreed },
            .member("outlook", .text, "What would come of it, for an alarm now: " + outlooks, example: "told") {
                $0.outlook
            },
        ])

    private static let last = Output<Last>.object(
        "LastCalls", "An alarm for which somebody was to be called.",
        [
            .member("kind", .choice(Word<Alert.Kind>.self), "What went on.") { $0.kind },
            .member("parameter", .optional(of: .text), "Of which parameter.", example: "dissolved_oxygen") {
                $0.parameter?.name
            },
            .member("side", .optional(of: .choice(Side.self)), "On which side, for the kind range.") { $0.side },
            .member("beganAt", .timestamp, "When the person was alarmed.") { $0.beganAt },
            .member("answeredBy", .optional(of: .text), "Who answered last; null: nobody.", example: "Ana") {
                $0.answeredBy
            },
            .member("isOwn", .boolean, "Whether that was the person.", example: false) { $0.isOwn },
            .member("answeredAfter", .optional(of: .integer), "How many seconds after the alarm.", example: 620) {
                last in
                last.answeredAt.map { max(0, Int(($0 - last.beganAt).components.seconds)) }
            },
            .member("endedAt", .optional(of: .timestamp), "When it was over.") { $0.endedAt },
        ])
}

/// Who would be told when, for an alarm at some time. Nothing rings.
struct ChainRehearsal: Sendable {
    var at: Timestamp
    var steps: [Chain.Step]

    static let output = Output<ChainRehearsal>.object(
        "ChainRehearsal", "Who would be told when.",
        [
            .member("at", .timestamp, "When the alarm would come.") { $0.at },
            .member("steps", .list(of: step), "In the order of their minutes.") { rehearsal in
                rehearsal.steps.map { ($0, rehearsal.at + .seconds(60 * $0.after)) }
            },
        ])

    private static let step = Output<(Chain.Step, Timestamp)>.object(
        "RehearsedStep", "A step of a chain at its time.",
        [
            .member("after", .integer, "How many minutes after the alarm.", example: 10) { $0.0.after },
            .member("at", .timestamp, "When.") { $0.1 },
            .member("person", .optional(of: Callable.output), "Who would be called; null for an endpoint.") {
                $0.0.person
            },
            .member("endpoint", .optional(of: .integer), "The endpoint; null for a person.") {
                $0.0.endpoint.map { Int($0.rawValue) }
            },
            .member("outlook", .text, "What would come of it: " + Chain.outlooks, example: "quietHours") {
                $0.0.outlook
            },
        ])
}

/// Another person's wish to call the person who asks.
struct AskedCall: Sendable {
    var device: String
    var deviceName: String
    var person: Callable
    var after: Int
    var agreed: CallAgreement

    static let output = Output<AskedCall>.object(
        "AskedCall", "Somebody whose chain for a device names the person.",
        [
            .member("device", .text, "The device.", example: "pond-1") { $0.device },
            .member("deviceName", .text, "The person's name for it.", example: "Koi pond") { $0.deviceName },
            .member("person", Callable.output, "Whose alarms it is about.") { $0.person },
            .member("after", .integer, "How many minutes after such an alarm.", example: 10) { $0.after },
            .member(
                "agreed", .choice(CallAgreement.self),
                "What the person has agreed to: no; daytime: not within their quiet hours; always."
            ) { $0.agreed },
        ])
}

/// The calls for what an alert is about.
struct AlertCalls: Sendable {
    struct Call: Sendable {
        var at: Timestamp
        var after: Int
        var name: String?
        var endpoint: Endpoint.ID?
        var outcome: String
    }

    struct Next: Sendable {
        var at: Timestamp
        var name: String?
        var endpoint: Endpoint.ID?
    }

    var items: [Call]
    var next: Next?
    var heldUntil: Timestamp?

    static let output = Output<AlertCalls>.object(
        "AlertCalls", "Who was called because nobody had answered, and who is next.",
        [
            .member("items", .list(of: call), "Oldest first.") { $0.items },
            .member("next", .optional(of: next), "Who is called next, if nobody answers; null: nobody.") { $0.next },
            .member("heldUntil", .optional(of: .timestamp), "Until when an answer, or a snooze, holds the calls back.")
            {
                $0.heldUntil
            },
        ])

    private static let call = Output<Call>.object(
        "AlertCall", "A step of a chain that was due.",
        [
            .member("at", .timestamp, "When.") { $0.at },
            .member("after", .integer, "How many minutes after the alarm.", example: 10) { $0.after },
            .member(
                "name", .optional(of: .text), "Who was called; null: the person, at an endpoint of theirs.",
                example: "Ana"
            ) {
                $0.name
            },
            .member("endpoint", .optional(of: .integer), "The person's endpoint; null for somebody else.") {
                $0.endpoint.map { Int($0.rawValue) }
            },
            .member(
                "outcome", .text,
                "What came of it: " + Chain.outlooks + "; tooMany: they were called often within the hour",
                example: "told"
            ) { $0.outcome },
        ])

    private static let next = Output<Next>.object(
        "NextCall", "Who is called next.",
        [
            .member("at", .timestamp, "When.") { $0.at },
            .member("name", .optional(of: .text), "Who; null: the person, at an endpoint of theirs.", example: "Kenji")
            { $0.name },
            .member("endpoint", .optional(of: .integer), "The person's endpoint; null for somebody else.") {
                $0.endpoint.map { Int($0.rawValue) }
            },
        ])
}
