/// Writes the Prometheus text exposition format, version 0.0.4.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func header(name: String, help: String, kind: MetricKind) {
        text += "# HELP \(name) \(escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(name: String, labels: [(name: String, value: String)], _ sample: MetricSample) {
        var labels = labels
        if let bound = sample.bound { labels.append(("le", number(bound))) }
        text += name + sample.suffix
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " " + number(sample.value) + "\n"
    }

    private func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }
}

/// Whether the text is a metric name in our style: lower-case letters, digits and underscores.
func isMetricName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "_") || (0x61...0x7A).contains(first) else { return false }
    return text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
}
