import Postgres
import Routes

/// Somebody who did something for a tank, as those who share it see them.
struct TankPerson: Sendable {
    /// The number of their part in the tank.
    let part: Int64
    let name: String
    let isOneself: Bool

    /// - Returns: `nil` where nobody is known: they closed their account, or an operator did it.
    init?(_ row: inout RowReader) throws {
        let (part, name, isOneself) = try (row.read(Int64?.self), row.read(String?.self), row.read(Bool?.self))
        guard let part, let name else { return nil }
        self.part = part
        self.name = name
        self.isOneself = isOneself ?? false
    }

    static let output = Output<TankPerson>.object(
        "TankPerson", "Somebody who shares the tank, or did.",
        [
            .member("id", .text, "By what they are known in this tank.", example: "42") { "\($0.part)" },
            .member("name", .text, "The name that others see.", example: "Ana") { $0.name },
            .member("isMe", .boolean, "Whether it is the person who asks.", example: false) { $0.isOneself },
        ])
}
