import WaterQuality

/// Writes what a script says of each parameter of the catalogue. A script is SQL, but for blocks of lines such as
///
///     --% each parameter, joined by ","
///     max(s.event_time) FILTER (WHERE s.{column} IS NOT NULL) AS t{number}
///     --% end
///
/// whose lines are repeated for each parameter, or for `each parameter without a minimum`. Between braces stand `column`, `number`,
/// `bit` (as in `ParameterSet`), `steps` (in one canonical unit), `unit` and `colour` (of a new setting), and `least` and `most` (the
/// sensor's range, in steps).
/// `{last}`, in blocks and outside, is the highest number. A block for `each setting` has the `{column}` of each `WatchSetting` and
/// that of the limits' periods, one for `each audit action` the name of each `{action}`.
enum ScriptTemplate {
    static func rendered(_ template: String, for parameters: [Parameter] = Parameter.allCases) -> String {
        var written: [String] = []
        var block: Block?
        for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
            let directive = line.drop { $0 == " " }
            if let begun = block, directive == "--% end" {
                written += begun.rendered(for: parameters)
                block = nil
            } else if block != nil {
                block?.lines.append(String(line))
            } else if directive.hasPrefix("--% ") {
                block = Block(directive)
            } else {
                written.append(String(line))
            }
        }
        precondition(block == nil, "a block of a script has no end")
        let last = parameters.map(\.rawValue).max() ?? 0
        return written.joined(separator: "\n").replacing("{last}", with: "\(last)")
    }

    private struct Block {
        var lines: [String] = []
        private let subject: Subject
        private let separator: String

        private enum Subject: String {
            case parameter = "--% each parameter"
            case parameterWithoutMinimum = "--% each parameter without a minimum"
            case setting = "--% each setting"
            case auditAction = "--% each audit action"
        }

        init(_ directive: Substring) {
            var parts = directive.split(separator: "\"", omittingEmptySubsequences: false)[...]
            let name = parts.popFirst() ?? ""
            separator = parts.popFirst().map(String.init) ?? ""
            guard let subject = Subject(rawValue: String(name.replacing(", joined by ", with: ""))) else {
                preconditionFailure("a script has no blocks of this kind: \(directive)")
            }
            self.subject = subject
        }

        func rendered(for parameters: [Parameter]) -> [String] {
            let rows: [Values] =
                switch subject {
                case .parameter: parameters.map(ScriptTemplate.values)
                case .parameterWithoutMinimum: parameters.filter { !$0.hasMinimumSetting }.map(ScriptTemplate.values)
                case .setting: (WatchSetting.allCases.map(\.column) + ["periods"]).map { [(name: "column", text: $0)] }
                case .auditAction: AuditAction.allCases.map { [(name: "action", text: $0.rawValue)] }
                }
            return rows.enumerated().map { index, values in
                let text = values.reduce(lines.joined(separator: "\n")) { text, value in
                    text.replacing("{\(value.name)}", with: value.text)
                }
                return index == rows.count - 1 ? text : text + separator
            }
        }
    }

    private typealias Values = [(name: String, text: String)]

    private static func values(of parameter: Parameter) -> Values {
        [
            ("column", parameter.name), ("number", "\(parameter.rawValue)"), ("bit", "\(parameter.bit)"),
            ("steps", "\(parameter.stepsPerUnit)"), ("unit", parameter.defaults.unit.rawValue),
            ("colour", parameter.defaults.color),
            ("least", "\(parameter.absoluteRange.lowerBound.count)"),
            ("most", "\(parameter.absoluteRange.upperBound.count)"),
        ]
    }
}
