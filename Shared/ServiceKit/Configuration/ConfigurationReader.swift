/// Reads variables one by one and records their faults.
///
/// A variable that is absent, empty or blank counts as not set. A faulty variable is recorded and reads as a stand-in
/// that is never used, because `Configuration.read` throws then.
package final class ConfigurationReader {
    private let environment: [String: String]
    private(set) var faults: [ConfigurationFault] = []

    init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// Records a fault that a caller found, such as two settings that exclude each other.
    package func fault(_ variable: Variable, _ problem: String, remedy: String? = nil) {
        faults.append(
            ConfigurationFault(
                variable: variable.rawValue, problem: problem, remedy: remedy ?? "set it to \(variable.expectation)"))
    }

    /// The variable's text without white space at its ends; nil if it is not set.
    package func optionalString(_ variable: Variable) -> String? {
        guard let raw = environment[variable.rawValue] else { return nil }
        let text = raw.trimmed
        return text.isEmpty ? nil : text
    }

    /// The variable's text; a fault if it is not set.
    package func string(_ variable: Variable) -> String {
        guard let text = optionalString(variable) else {
            fault(variable, "is not set")
            return ""
        }
        return text
    }

    /// Whether all variables are set that are of use together alone. Where some are, each of the others is a fault.
    package func areSet(_ variables: Variable...) -> Bool {
        let missing = variables.filter { optionalString($0) == nil }
        guard let given = variables.first(where: { !missing.contains($0) }) else { return false }
        for variable in missing {
            fault(
                variable, "is not set, although \(given.rawValue) is",
                remedy: "set it to \(variable.expectation), or remove \(given.rawValue)")
        }
        return missing.isEmpty
    }

    /// The parts of a comma-separated list, without white space and empty parts; empty if it is not set.
    package func list(_ variable: Variable) -> [String] {
        (optionalString(variable) ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    /// The parsed value; nil if the variable is not set, nil and a fault if `parse` refuses the text.
    package func optional<Value>(_ variable: Variable, parse: (String) -> Value?) -> Value? {
        guard let text = optionalString(variable) else { return nil }
        guard let value = parse(text) else {
            fault(variable, "is \(quoted(text))")
            return nil
        }
        return value
    }

    /// Like `optional`, but a fault if it is not set.
    /// - Parameter standIn: The value of a faulty variable.
    package func required<Value>(_ variable: Variable, standIn: Value, parse: (String) -> Value?) -> Value {
        guard optionalString(variable) != nil else {
            fault(variable, "is not set")
            return standIn
        }
        return optional(variable, parse: parse) ?? standIn
    }

    func quoted(_ text: String) -> String { text.quoted }
}

extension String {
    /// The text in quotation marks, safe for a message.
    ///
    /// A password may stand in the wrong variable or in a mistyped URL, where nothing identifies it as one: it must not
    /// reach the log.
    var quoted: String {
        let mayHoldPassword = utf8.contains(UInt8(ascii: "@")) || contains("password=")
        return mayHoldPassword ? "something that may hold a password" : "\"\(presentable)\""
    }

    /// The text, shortened and without control characters, which could write anywhere on a terminal.
    var presentable: String {
        let visible = unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "?" : Character($0) }
        return unicodeScalars.count <= 60 ? String(visible) : String(visible) + "..."
    }

    /// The text without white space and line breaks at its ends.
    var trimmed: String {
        let tail = drop(while: \.isWhitespace)
        guard let end = tail.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(tail[...end])
    }
}
