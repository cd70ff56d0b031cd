import Postgres
import Routes

/// A person who did something for a tank, as the others who share it see them.
struct CarePerson: Hashable, Sendable {
    /// The number of their last part in the tank.
    var part: Int64
    var name: String
    var isMe: Bool

    /// The SQL of a person's columns, and of where they come from, for a row with `slot`, `tank_id` and `account_id`.
    static let columns = "by.part, by.name, by.is_oneself"

    static func join(_ row: String) -> String {
        """
        LEFT JOIN LATERAL (
            SELECT p.part, p.name, p.is_oneself FROM tank_person p
            WHERE p.slot = \(row).slot AND p.tank_id = \(row).tank_id AND p.account_id = \(row).account_id
        ) AS by ON true
        """
    }

    /// - Returns: `nil` for somebody who is gone.
    static func read(_ row: inout RowReader) throws -> CarePerson? {
        let (part, name, isMe): (Int64?, String?, Bool?) = try (row.read(), row.read(), row.read())
        guard let part, let name, let isMe else { return nil }
        return CarePerson(part: part, name: name, isMe: isMe)
    }

    static let output = Output<CarePerson>.object(
        "CarePerson", "Somebody who shares a tank, or has shared it.",
        [
            .member("id", .text, "Their part in the device.", example: "42") { "\($0.part)" },
            .member("name", .text, "Their name, as others see them.", example: "Ana") { $0.name },
            .member("isMe", .boolean, "Whether it is the person who asks.") { $0.isMe },
        ])
}
