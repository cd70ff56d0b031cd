import Instants
import Routes
import Store
import WaterQuality

/// A person's answers to an alarm. The raw values are a promise to clients.
enum AlarmAnswer: String, CaseIterable, Sendable {
    case onIt, solved, cannot
}

/// The person who is on something that goes on, as everybody sees it who shares the device.
struct ShownAnswer: Sendable {
    var subject: ShownSubject
    /// The person's, as others see them.
    var name: String
    /// Whether it is the person who asks.
    var isOwn: Bool
    var since: Timestamp
    var until: Timestamp
    var solvedAt: Timestamp?

    static let output = Output<ShownAnswer>.object(
        "Answer", "Somebody who is on what goes on.",
        ShownSubject.members(\.subject) + state)

    /// Without what it is about.
    static let state: [OutputMember<ShownAnswer>] = [
        .member("name", .text, "Who, as others see them.", example: "Ana") { $0.name },
        .member("isYou", .boolean, "Whether it is the person who asks.") { $0.isOwn },
        .member("since", .timestamp, "Since when.") { $0.since },
        .member("until", .timestamp, "Until when those who had been told are not reminded.") { $0.until },
        .member("solvedAt", .optional(of: .timestamp), "When they said that it is solved.") { $0.solvedAt },
    ]
}

/// The outcome of an answer.
struct GivenAnswer: Sendable {
    let onIt: ShownAnswer?

    static let output = Output<GivenAnswer>.object(
        "GivenAnswer", "What came of an answer.",
        [
            .member(
                "onIt", .optional(of: ShownAnswer.output),
                "Who is on it now: the person themselves, or somebody who was faster; null: nobody."
            ) { $0.onIt }
        ])
}
