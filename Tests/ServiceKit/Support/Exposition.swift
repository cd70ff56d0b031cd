/// A strict reader of the Prometheus text format 0.0.4, written from its description and independent of our writer.
struct Exposition {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    enum Fault: Error, Equatable {
        case missingLineBreak
        case badLine(String)
        case sampleWithoutType(String)
        case typeTwice(String)
        case seriesTwice(String)
        case brokenHistogram(String)
    }

    private(set) var types: [String: String] = [:]
    private(set) var samples: [Sample] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault.missingLineBreak }
        var series: Set<String> = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("# HELP ") { continue }
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, types.updateValue(String(words[3]), forKey: String(words[2])) == nil else {
                    throw Fault.typeTwice(line)
                }
                continue
            }
            guard series.insert(line.prefixBeforeLastSpace).inserted else { throw Fault.seriesTwice(line) }
            let sample = try Self.sample(line)
            guard family(of: sample.name) != nil else { throw Fault.sampleWithoutType(line) }
            samples.append(sample)
        }
        try checkHistograms()
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private func family(of name: String) -> String? {
        if types[name] != nil { return name }
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            let family = String(name.dropLast(suffix.count))
            if types[family] == "histogram" { return family }
        }
        return nil
    }

    private static func sample(_ line: String) throws -> Sample {
        let pattern = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/
        guard let match = line.wholeMatch(of: pattern), let value = Double(match.3.replacing("Inf", with: "inf")) else {
            throw Fault.badLine(line)
        }
        return Sample(name: String(match.1), labels: try labels(match.2.map(String.init) ?? ""), value: value)
    }

    private static func labels(_ text: String) throws -> [String: String] {
        let pattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\\\|\\"|\\n)*)"(,|$)/
        var rest = text[...]
        var labels: [String: String] = [:]
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: pattern) else { throw Fault.badLine(text) }
            labels[String(match.1)] = unescaped(match.2)
            rest = rest[match.range.upperBound...]
        }
        return labels
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscape = false
        for character in text {
            if isEscape {
                result.append(character == "n" ? "\n" : character)
                isEscape = false
            } else if character == "\\" {
                isEscape = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Checks that bucket counts never fall, and that the last one, `+Inf`, equals the count.
    private func checkHistograms() throws {
        for (family, kind) in types where kind == "histogram" {
            let buckets = Dictionary(grouping: samples.filter { $0.name == family + "_bucket" }) { sample in
                sample.labels.filter { $0.key != "le" }
            }
            for (labels, series) in buckets {
                let values = series.map(\.value)
                guard zip(values, values.dropFirst()).allSatisfy(<=), series.last?.labels["le"] == "+Inf",
                    value(family + "_count", labels) == values.last, value(family + "_sum", labels) != nil
                else { throw Fault.brokenHistogram(family) }
            }
        }
    }
}

extension String {
    fileprivate var prefixBeforeLastSpace: String {
        lastIndex(of: " ").map { String(self[..<$0]) } ?? self
    }
}
