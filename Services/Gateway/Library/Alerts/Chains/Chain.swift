import HTTPTypes
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

/// The hours in which another person has agreed to be called. The raw values are a promise to clients.
enum CallAgreement: String, CaseIterable, Sendable, Encodable {
    case no
    /// Not within their quiet hours.
    case daytime
    case always

}

/// A person's chain for a device.
struct Chain: Sendable {
    struct Step: Sendable {
        var after: Int
        var person: Callable?
        var endpoint: Endpoint.ID?
        var agreed: CallAgreement?
        /// The outcome that a call would have now; a word of the database's function.
        var outlook: String

        /// The step as its person chose it; nil where neither a person nor an endpoint is left of it.
        var chosen: ChainStepInput? {
            if let person { return ChainStepInput(after: after, target: .person(person.id)) }
            return endpoint.map { ChainStepInput(after: after, target: .endpoint($0)) }
        }
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

    /// The person's part in the device.
    var ownership: Int64
    var steps: [Step]
    var people: [Callable]
    var last: Last?

    /// The steps as a request would name them.
    var chosen: [ChainStepInput] { steps.compactMap(\.chosen) }

    /// The version of what the person chose. Unlinking a device and linking it again changes it.
    var tag: EntityTag {
        EntityTag((["o\(ownership)"] + chosen.map { "\($0.after)\($0.target.tag)" }).joined(separator: "-"))
    }

    var answer: Answer<Chain> { .value(self, headers: [.eTag: tag.description]) }

    static let outlooks =
        "told; quietHours: the person has quiet hours; notAgreed: they have not agreed to be called; paused: the endpoint is signed out for now; unreachable: no endpoint "
        + "of theirs reaches them now, or the endpoint takes nothing; they are called all the same if that is mended by then; gone: they do not share the device any more, or the endpoint is not in use"

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
                "What the person has agreed to: no; daytime: not within their quiet hours; always. Null while they have not answered, and for an endpoint."
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

/// A trial of a chain for an alarm at some time: whom it would tell, and when. Nothing rings.
struct ChainRehearsal: Sendable {
    var at: Timestamp
    /// Until when the person's own quiet hours at that time hold back what is not critical.
    var waitsUntil: Timestamp?
    var steps: [Chain.Step]

    static let output = Output<ChainRehearsal>.object(
        "ChainRehearsal", "Who would be told when.",
        [
            .member("at", .timestamp, "When the alarm would come.") { $0.at },
            .member(
                "waitsUntil", .optional(of: .timestamp),
                "Until when the person's own quiet hours at that time hold back what is not critical, and nobody is called; null: they have none then."
            ) { $0.waitsUntil },
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
    var agreed: CallAgreement?

    static let output = Output<AskedCall>.object(
        "AskedCall", "Somebody whose chain for a device names the person.",
        [
            .member("device", .text, "The device.", example: "pond-1") { $0.device },
            .member("deviceName", .text, "The person's name for it.", example: "Koi pond") { $0.deviceName },
            .member("person", Callable.output, "Whose alarms it is about.") { $0.person },
            .member("after", .integer, "How many minutes after such an alarm.", example: 10) { $0.after },
            .member(
                "agreed", .optional(of: .choice(CallAgreement.self)),
                "What the person has agreed to: no; daytime: not within their quiet hours; always. Null while they have not answered."
            ) { $0.agreed },
        ])
}
