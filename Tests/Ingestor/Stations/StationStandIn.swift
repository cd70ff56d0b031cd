import Instants
import Routes
import Synchronization
import TestSupport

/// Two public services in one, which answer what their documentation says and refuse anything else: a Thing with one Datastream at
/// `/v1.1/Things(1)`, and the Survey's station 01646500.
final class StationStandIn: Sendable {
    struct State: Sendable {
        /// Values of the one series.
        var values: [(time: Timestamp, value: Double)] = []
        /// In the place of any answer.
        var scripted: WebhookSink.Answer?
        /// Requests in another form than the services take.
        var refused: [String] = []
        var unchanged = 0
    }

    let origin: String
    let port: Int
    let authorityFile: String?
    private let state = Mutex(State())

    init(_ sink: WebhookSink) {
        origin = sink.url(path: "")
        (port, authorityFile) = (sink.port, sink.authorityFile)
        sink.answer(by: { [weak self] in self?.answer($0) ?? .status(503) })
    }

    var refused: [String] { state.withLock(\.refused) }
    var unchanged: Int { state.withLock(\.unchanged) }

    func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

    private func answer(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        state.withLock { state in
            if let scripted = state.scripted { return scripted }
            guard request.method == "GET", request.body.isEmpty, let body = Self.body(request.path, state) else {
                state.refused.append("\(request.method) \(request.path)")
                return .status(400)
            }
            let tag = "\"\(body.hashValue)\""
            guard request.header("if-none-match") != tag else {
                state.unchanged += 1
                return .status(304)
            }
            return .body(String(decoding: body.bytes, as: UTF8.self), entityTag: tag)
        }
    }

    private static func body(_ path: String, _ state: State) -> JSON? {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let query = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "/v1.1/Things(1)/Datastreams":
            guard query.contains("$expand="), let from = time(after: "phenomenonTime%20ge%20", in: query) else {
                return nil
            }
            return ["value": [stream(state.values.filter { $0.time >= from })]]
        case "/ogcapi/v1/collections/continuous/items":
            guard query.contains("monitoring_location_id=USGS-01646500&"), let from = time(after: "&time=", in: query)
            else { return nil }
            return [
                "type": "FeatureCollection", "features": .array(state.values.filter { $0.time >= from }.map(feature)),
            ]
        case "/ogcapi/v1/collections/monitoring-locations/items/USGS-01646500":
            return ["type": "Feature", "properties": ["monitoring_location_name": "Potomac River"]]
        default: return nil
        }
    }

    private static func time(after mark: String, in query: String) -> Timestamp? {
        guard let start = query.ranges(of: mark).first?.upperBound else { return nil }
        return Timestamp(String(query[start...].prefix { !")/;%&".contains($0) }))
    }

    private static func stream(_ values: [(time: Timestamp, value: Double)]) -> JSON {
        [
            "@iot.id": 7, "name": "Water temperature at the weir",
            "unitOfMeasurement": ["name": "degree Fahrenheit", "symbol": "°F", "definition": "ucum:[degF]"],
            "Thing": ["name": "Mill weir"], "ObservedProperty": ["name": "Water Temperature", "definition": ""],
            "Observations": .array(
                values.map { ["phenomenonTime": .string($0.time.iso8601), "result": .number($0.value)] }),
        ]
    }

    private static func feature(_ time: Timestamp, _ value: Double) -> JSON {
        [
            "type": "Feature",
            "properties": [
                "time_series_id": "a1", "monitoring_location_id": "USGS-01646500", "parameter_code": "00010",
                "time": .string(time.iso8601), "value": .string("\(value)"), "unit_of_measure": "degC",
            ],
        ]
    }
}
