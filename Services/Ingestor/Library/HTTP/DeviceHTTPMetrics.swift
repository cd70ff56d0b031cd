import Instants
import PublicHTTP
import ServiceKit

/// The metrics of the device server.
struct DeviceHTTPMetrics: Sendable {
    /// The status of an answer, as a label.
    enum Status: String, MetricLabel {
        static let labelName = "status"

        case ok = "200"
        case badRequest = "400"
        case unauthorized = "401"
        case notFound = "404"
        case methodNotAllowed = "405"
        case tooLarge = "413"
        case unsupportedMediaType = "415"
        case unprocessable = "422"
        case tooManyRequests = "429"
        case internalError = "500"
        case unavailable = "503"
    }

    let answers: Labelled<Status, Counter>
    let duration: Histogram
    let failedHandshakes: Counter

    init(_ registry: MetricsRegistry) {
        answers = registry.counter(
            "aqua_ingestor_http_requests_total", "Requests of devices that were answered, by status.", by: Status.self)
        duration = registry.histogram(
            "aqua_ingestor_http_request_seconds", "From the head of a device's request to its answer.")
        failedHandshakes = registry.counter(
            "aqua_ingestor_http_failed_handshakes_total", "Connections that ended before their TLS handshake was over.")
    }

    func add(
        _ registry: MetricsRegistry, _ limits: ConnectionLimits, most: Int, _ intake: Intake, _ keys: DeviceKeyring
    ) {
        registry.observed(.gauge, "aqua_ingestor_http_connection_limit", "The most connections of devices at once.") {
            Double(most)
        }
        registry.observed(.gauge, "aqua_ingestor_http_connections", "Open connections of devices.") {
            Double(limits.count)
        }
        registry.observed(
            .counter, "aqua_ingestor_http_refused_connections_total",
            "Connections that were closed because of too many."
        ) { Double(limits.refusedCount) }
        registry.observed(
            .gauge, "aqua_ingestor_http_waiting_messages", "Messages of requests that wait for the next batch."
        ) { Double(intake.waitingCount) }
        registry.observed(
            .counter, "aqua_ingestor_http_refused_guesses_total", "Keys of devices that came too soon after wrong ones."
        ) { Double(keys.refusedCount) }
    }

    func answered(_ status: Int, after duration: Duration) {
        if let status = Status(rawValue: "\(status)") { answers[status].increment() }
        self.duration.observe(duration)
    }
}
