/// What stands in the place of a name of a template.
package enum TemplateValue: Hashable, Sendable {
    case text(String)
    /// A number or a truth value, as JSON writes it.
    case literal(String)

    /// The value as a person reads it.
    var text: String {
        switch self {
        case .text(let text), .literal(let text): text
        }
    }

    /// Whether a section about it is written: unless it says no, or nothing.
    var isTrue: Bool {
        switch self {
        case .text(let text): !text.isEmpty
        case .literal(let literal): literal != "false"
        }
    }
}

/// The names that a template may use.
package enum TemplateNames {
    /// Names of the data of a message, beside what tells messages apart: `type`, such as `alert.alarm`, and `over`, whether it tells of an
    /// end. Which of them have a value depends on the kind of the alert.
    package static let all = [
        "type", "over", "title", "text", "kind", "alert_id", "collapse_key", "decided_at", "device.id", "device.name",
        "parameter", "side", "value", "limit", "unit", "since", "event_time", "received_at", "critical", "unstable",
        "after_work", "check_probe", "another_probe", "caller", "change.by", "change.seconds", "change.limit",
        "differs.by",
        "outlook.side",
        "outlook.limit", "outlook.expected_at", "silence_hint.kind", "silence_hint.number",
    ]
}
