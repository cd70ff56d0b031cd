/// Reads variables one by one and remembers what is wrong with them.
///
/// A variable that is absent, empty or blank counts as not set. A faulty one is recorded and reads as a stand-in
/// that nobody sees, for `Configuration.read` throws then.
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

    /// The variable's text without white space at its ends, or nil if it is not set.
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

    /// The parts of a comma-separated list, without white space and empty parts; empty if it is not set.
    package func list(_ variable: Variable) -> [String] {
        (optionalString(variable) ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    /// The value that `parse` makes of the text, nil if it is not set, nil and a fault if `parse` returns nil.
    package func optional<Value>(_ variable: Variable, parse: (String) -> Value?) -> Value? {
        guard let text = optionalString(variable) else { return nil }
        guard let value = parse(text) else {
            fault(variable, "is \(quoted(text))")
            return nil
        }
        return value
    }

    /// Like `optional`, and a fault if it is not set.
    /// - Parameter standIn: What a faulty variable reads as.
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
    /// In quotation marks, fit for a message.
    ///
    /// A password may stand in the wrong variable or in a mistyped URL, where nobody can tell what it is: it must not
    /// reach the log.
    var quoted: String {
        let mayHoldPassword = utf8.contains(UInt8(ascii: "@")) || contains("password=")
        return mayHoldPassword ? "something that may hold a password" : "\"\(presentable)\""
    }

    /// Short, and without control characters, which could write anywhere on a terminal.
    var presentable: String {
        let visible = unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "?" : Character($0) }
        return unicodeScalars.count <= 60 ? String(visible) : String(visible) + "..."
    }

    /// Without white space and line breaks at its ends.
    var trimmed: String {
        let tail = drop(while: \.isWhitespace)
        guard let end = tail.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(tail[...end])
    }
}
