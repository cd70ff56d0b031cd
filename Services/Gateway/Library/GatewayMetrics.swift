import Instants
import PublicHTTP
import ServiceKit

/// The bucket that was empty.
enum RateScope: String, MetricLabel {
    case address, caller
    static let labelName = "scope"
}

/// The metrics of a gateway.
struct GatewayMetrics: Sendable {
    private struct Series: Sendable {
        /// Answers by the first digit of the status, from 2 to 5.
        let answers: [Counter]
        let duration: Histogram
    }

    private let routes: [String: Series]
    let running: Gauge
    let rateLimited: Labelled<RateScope, Counter>
    let failedHandshakes: Counter

    /// The label for requests that lead to no route.
    static let noRoute = "none"
    private static let classes = 2...5

    /// - Parameter routes: The ids of all routes.
    init(_ registry: MetricsRegistry, routes: [String]) {
        let ids = routes + [Self.noRoute]
        let answers = registry.counters(
            "aqua_gateway_requests_total", "Requests that were answered, by route and class of the status.",
            ids.flatMap { id in Self.classes.map { [(name: "route", value: id), (name: "status", value: "\($0)xx")] } })
        let durations = registry.histograms(
            "aqua_gateway_request_seconds", "From the head of a request to the head of its answer.",
            ids.map { [(name: "route", value: $0)] })
        self.routes = Dictionary(
            uniqueKeysWithValues: ids.enumerated().map { index, id in
                let first = index * Self.classes.count
                return (
                    id,
                    Series(answers: Array(answers[first..<first + Self.classes.count]), duration: durations[index])
                )
            })
        running = registry.gauge("aqua_gateway_requests_running", "Requests whose answer is not complete.")
        rateLimited = registry.counter(
            "aqua_gateway_rate_limited_total", "Requests that were refused with 429, by whose bucket was empty.",
            by: RateScope.self)
        failedHandshakes = registry.counter(
            "aqua_gateway_failed_handshakes_total", "Connections that ended before their TLS handshake was over.")
    }

    func addConnections(_ registry: MetricsRegistry, limit: Int, _ limits: ConnectionLimits) {
        registry.observed(.gauge, "aqua_gateway_connection_limit", "The most connections of people at once.") {
            Double(limit)
        }
        registry.observed(.gauge, "aqua_gateway_connections", "Open connections of people.") { Double(limits.count) }
        registry.observed(
            .counter, "aqua_gateway_refused_connections_total", "Connections that were closed because of too many."
        ) { Double(limits.refusedCount) }
    }

    func answered(_ route: String, status: Int, after duration: Duration) {
        guard let series = routes[route] ?? routes[Self.noRoute] else { return }
        if Self.classes.contains(status / 100) {
            series.answers[status / 100 - Self.classes.lowerBound].increment()
        }
        series.duration.observe(duration)
    }
}
