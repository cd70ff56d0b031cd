/// The series that a PromQL expression selects, each as an expression of its own: `up{job="rules"}`.
///
/// Reads the part of the language that our rules and dashboards use.
func metricSelectors(in expression: String) -> [String] {
    let words: Set<String> = [
        "and", "or", "unless", "by", "without", "on", "ignoring", "group_left", "group_right", "offset", "bool",
    ]
    let plain =
        expression
        // Lists of labels, and durations.
        .replacing(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/, with: " ")
        .replacing(/\[[^\]]*\]/, with: " ")
    var selectors: [String] = []
    for match in plain.matches(of: /\b([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{(?:[^}"]|"[^"]*")*\})?/) {
        let rest = plain[match.range.upperBound...].drop { $0 == " " }
        let isFunction = match.2 == nil && rest.first == "("
        guard !isFunction, !words.contains(String(match.1)) else { continue }
        selectors.append("\(match.1)\(match.2 ?? "")")
    }
    return selectors
}
