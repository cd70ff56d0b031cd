import Routes
import Store
import WaterQuality

/// A field that was changed, with its value before and after.
struct ShownChange: Sendable {
    let field: String
    let before: JSON
    let after: JSON

    /// - Parameter text: The changes of an entry, as they are stored; what cannot be read is none.
    static func all(_ text: String?) -> [ShownChange] {
        guard let text, case .object(let members)? = try? JSON(reading: Array(text.utf8)) else { return [] }
        return members.compactMap { member in
            guard case .array(let values) = member.value, values.count == 2 else { return nil }
            return ShownChange(field: member.name, before: values[0], after: values[1])
        }
    }

    static let output = Output<ShownChange>.object(
        "Change", "A field that was changed.",
        [
            .member("field", .text, "Its name.", example: "maximum") { $0.field },
            .member("before", .json, "Its value before; null: there was none.") { $0.before },
            .member("after", .json, "Its value after; null: there is none.") { $0.after },
        ])
}

extension Output where Value == PageAudit.Row {
    static let auditEntry = Output.object(
        "AuditEntry", "An act that changed rights, limits, ways, devices or an account, or that was refused.",
        [
            .member("id", .integer, "Its number; later ones have greater ones.", example: 42) { Int($0.entry.number) },
            .member("at", .timestamp, "When.") { $0.entry.at },
            .member("action", .choice(Word<AuditAction>.self), "What was done, as noun.verb.", example: "limit.change")
            {
                $0.entry.action
            },
            .member("outcome", .text, "done, or refused.", example: "done") { $0.entry.outcome },
            .member(
                "times", .integer,
                "1; of what was refused again and again, how often by then within the hour: the first, the tenth, the hundredth, ... "
                    + "are listed.", example: 1
            ) { Int($0.entry.times) },
            .member("actor", .choice(Word<AuditActor>.self), "Who did it.", example: "account") { $0.entry.actor },
            .member(
                "account", .optional(of: .text),
                "Whose account it concerns, told to operators: an address, or a project's name; null in one's own log.",
                example: .null
            ) { $0.account },
            .member("isOwn", .boolean, "Whether it was the person who asks, by themselves or by a token.") { $0.isOwn },
            .member(
                "actorName", .optional(of: .text),
                "How the person sees whoever did it; a token's name; of a closed account a word that stands for it; null of others.",
                example: "Ben"
            ) { $0.entry.actorName },
            .member("device", .optional(of: .text), "The device's id.", example: "pond-1") { $0.entry.device },
            .member("parameter", .optional(of: .text), "The parameter.", example: "temperature") {
                $0.entry.parameter?.name
            },
            .member(
                "unit", .optional(of: .choice(Unit.self)),
                "The parameter's canonical unit, in which its limits stand here.",
                example: "C"
            ) { $0.entry.parameter?.known?.canonicalUnit },
            .member(
                "target", .optional(of: .text), "The id of what was acted on; of a request the id of its route.",
                example: .null
            ) { $0.entry.target },
            .member(
                "subject", .optional(of: .text),
                "A name: what the person calls the device, a client, a token; the host of an endpoint; of a refusal the problem's code.",
                example: "Garden pond"
            ) { $0.entry.subject },
            .member(
                "clientName", .optional(of: .text), "What people call the client with which it was done.",
                example: "Safari · iPhone"
            ) { $0.entry.client.flatMap { ClientName.of($0) } },
            .member(
                "changes", .list(of: ShownChange.output),
                "What of it changed, without secrets; limits in the parameter's canonical unit."
            ) { ShownChange.all($0.entry.changes) },
            .member("session", .optional(of: .id), "The session in which it was done; null: in none that is told.") {
                $0.entry.session
            },
            .member(
                "request", .optional(of: .text), "The request's id; null of others' requests, and of what was none.",
                example: .null
            ) { $0.entry.request },
            .member(
                "network", .optional(of: .text), "From where, as a /24 or a /48; null likewise.",
                example: "203.0.113.0/24"
            ) { $0.entry.network },
        ])
}
