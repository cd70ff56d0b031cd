/// How long map and standards let wait, over a store of production size.
struct MapFigures: Encodable, Sendable {
    let storedReadings: Int
    let devices: Int
    /// The rates in rising order, up to the first at which some waited for longer than `MapMeasurement.patience`.
    let asked: [Asked]
    /// The most private memory of the Gateway, and of one of PostgreSQL's processes, while it was asked.
    let gatewayMib: Double
    let backendMib: Double

    /// From the time when each request was due to the end of its answer.
    struct Asked: Encodable, Sendable {
        let question: MapQuestion
        let requestsPerSecond: Int
        let ms: Distribution
    }

    private enum CodingKeys: String, CodingKey {
        case storedReadings = "mapStoredReadings"
        case devices = "mapDevices"
        case asked = "mapAsked"
        case gatewayMib = "mapGatewayMib"
        case backendMib = "mapBackendMib"
    }

    var text: String {
        var table = DistributionTable(
            "Map, \(storedReadings / 1_000_000) M readings of \(devices) devices (ms)")
        for asked in asked { table.add("\(asked.requestsPerSecond)/s: \(asked.question.title)", asked.ms) }
        let memory =
            "The Gateway had \(Int(gatewayMib)) MiB at most, a PostgreSQL process \(Int(backendMib)) MiB for itself"
        return [table.text, memory].joined(separator: "\n\n")
    }
}
