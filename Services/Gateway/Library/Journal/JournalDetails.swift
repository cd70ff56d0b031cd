import Instants
import Routes
import WaterQuality

/// The members of a line of the journal that an entry has not: of a test by hand, of work on the water, of a reminder that was done.
struct JournalDetails: Sendable {
    let json: JSON

    /// Reads what the database's `journal_details` says: parameters get their names and times the form that they have everywhere.
    /// - Returns: `nil` for what is no JSON.
    init?(_ text: String) {
        guard let json = try? JSON(reading: Array(text.utf8)) else { return nil }
        self.json = Self.shown(json)
    }

    private static func shown(_ details: JSON) -> JSON {
        guard case .object(let members) = details else { return details }
        return .object(
            members.map { member in
                switch (member.name, member.value) {
                case ("values", .array(let values)):
                    // Values that only a newer version knows are left out.
                    JSON.Member(member.name, .array(values.compactMap(named)))
                case ("parameter", .integer(let number)):
                    // Of one that only a newer version knows, the number.
                    Int16(exactly: number).flatMap(Parameter.init(rawValue:)).map {
                        JSON.Member(member.name, .string($0.name))
                    } ?? member
                case ("from", .string(let text)), ("until", .string(let text)), ("endedAt", .string(let text)):
                    JSON.Member(member.name, .string(Timestamp(iso8601: text.utf8.span)?.iso8601 ?? text))
                default: member
                }
            })
    }

    private static func named(_ value: JSON) -> JSON? {
        guard case .object(let members) = value, let number = value["parameter"]?.integer,
            let parameter = Int16(exactly: number).flatMap(Parameter.init(rawValue:))
        else { return nil }
        return .object(members.map { $0.name == "parameter" ? JSON.Member($0.name, .string(parameter.name)) : $0 })
    }
}
