import Foundation

/// All measurements; a part that was not requested is absent.
struct BenchmarkReport: Encodable {
    var machine: Machine
    var latency: LatencyFigures?
    var sustained: SustainedFigures?
    var storm: StormFigures?
    var fairness: FairnessFigures?
    var pure: PureFigures?
    var storage: StorageFigures?
    var backlog: BacklogFigures?
    var upkeep: UpkeepFigures?
    var gateway: GatewayFigures?
    var map: MapFigures?

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var text: String {
        [
            machine.text, sustained?.text, latency?.text, storm?.text, fairness?.text, pure?.text, storage?.text,
            backlog?.text, upkeep?.text, gateway?.text, map?.text,
        ].compactMap(\.self).joined(separator: "\n\n")
    }

    /// Latencies by load, from the parts that measure them.
    private struct LatencyByLoad: Encodable {
        var quiet: Distribution?
        var halfLoad: Distribution?
    }

    private enum CodingKeys: String, CodingKey { case machine, latencyMs }

    /// The figures of each part are at the top level, so that their names do not depend on the division into parts.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(machine, forKey: .machine)
        let byLoad = LatencyByLoad(quiet: latency?.quiet, halfLoad: sustained?.halfLoad.latency)
        if byLoad.quiet != nil || byLoad.halfLoad != nil { try container.encode(byLoad, forKey: .latencyMs) }
        try latency?.encode(to: encoder)
        try sustained?.encode(to: encoder)
        try storm?.encode(to: encoder)
        try fairness?.encode(to: encoder)
        try pure?.encode(to: encoder)
        try storage?.encode(to: encoder)
        try backlog?.encode(to: encoder)
        try upkeep?.encode(to: encoder)
        try gateway?.encode(to: encoder)
        try map?.encode(to: encoder)
    }
}
