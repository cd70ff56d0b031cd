import Instants
import Routes
import WaterQuality

/// The calls for what an alert is about.
struct AlertCalls: Sendable {
    /// The turn of somebody.
    struct Turn: Sendable {
        var at: Timestamp
        /// The name of whose turn it is; `nil` for the person who asks.
        var name: String?
        /// Whether it is an endpoint of theirs.
        var isWay: Bool
        /// The endpoint, of the person who asks.
        var endpoint: Endpoint.ID?
    }

    struct Call: Sendable {
        var turn: Turn
        var after: Int
        var outcome: String
    }

    var items: [Call]
    var next: Turn?
    var heldUntil: Timestamp?

    static let output = Output<AlertCalls>.object(
        "AlertCalls", "Who was called because nobody had answered, and who is next.",
        [
            .member(
                "items", .list(of: call), "Oldest first. Whoever was called sees those alone who were told."
            ) { $0.items },
            .member("next", .optional(of: next), "Who is called next, if nobody answers; null: nobody.") { $0.next },
            .member(
                "heldUntil", .optional(of: .timestamp),
                "Until when an answer, a snooze of the person whose alarm it is, or work on the water holds the calls back."
            ) { $0.heldUntil },
        ])

    private static let call = Output<Call>.object(
        "AlertCall", "A step of a chain that was due.",
        members(\.turn) + [
            .member("after", .integer, "How many minutes after the alarm.", example: 10) { $0.after },
            .member(
                "outcome", .text,
                "What came of it: " + Chain.outlooks + "; tooMany: they were called often within the hour",
                example: "told"
            ) { $0.outcome },
        ])

    private static let next = Output<Turn>.object("NextCall", "Who is called next.", members { $0 })

    private static func members<Whole: Sendable>(
        _ turn: @escaping @Sendable (Whole) -> Turn
    ) -> [OutputMember<Whole>] {
        [
            .member("at", .timestamp, "When.") { turn($0).at },
            .member("name", .optional(of: .text), "Whose turn it is; null: the person's.", example: "Ana") {
                turn($0).name
            },
            .member("isYou", .boolean, "Whether it is the person's.", example: false) { turn($0).name == nil },
            .member("isWay", .boolean, "Whether it is an endpoint.", example: false) { turn($0).isWay },
            .member("endpoint", .optional(of: .integer), "The endpoint, if it is the person's.") {
                turn($0).endpoint.map { Int($0.rawValue) }
            },
        ]
    }
}
