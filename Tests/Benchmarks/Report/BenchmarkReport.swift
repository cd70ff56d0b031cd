import Foundation

/// Everything that was measured; a part that was not asked for is absent.
struct BenchmarkReport: Encodable {
    var machine: Machine
    var latency: LatencyFigures?

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var text: String {
        [machine.text, latency?.text].compactMap(\.self).joined(separator: "\n\n")
    }

    private enum CodingKeys: String, CodingKey { case machine }

    /// The figures of a part stand at the top, so that their names do not depend on how parts are cut.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(machine, forKey: .machine)
        try latency?.encode(to: encoder)
    }
}
