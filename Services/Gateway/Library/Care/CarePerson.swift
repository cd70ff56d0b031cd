import Routes

/// Somebody who shares a tank, as the others who share it see them.
struct CarePerson: Hashable, Sendable {
    /// The id of their part in the tank.
    var part: Int64
    var name: String
    var isOneself: Bool

    static let output = Output<CarePerson>.object(
        "CarePerson", "Somebody who shares the tank, or did.",
        [
            .member("id", .text, "The id of their part in it.", example: "42") { "\($0.part)" },
            .member("name", .text, "The name that the others see.", example: "Ana") { $0.name },
            .member("isMe", .boolean, "Whether it is the person who asks.", example: false) { $0.isOneself },
        ])
}
