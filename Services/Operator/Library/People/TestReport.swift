import PushTargets
import Store
import WaterQuality

/// The outcome of a test alert at each endpoint, and the mend where it did not arrive.
struct TestReport: Report {
    struct Line: Encodable {
        var endpoint: Endpoint.ID
        /// The value of the header `webhook-id` that the receiver got.
        var webhookId: String
        var channel: Word<Endpoint.Channel>
        var host: String
        var state: Word<Delivery.State>
        var attempts: Int16
        var outcome: Word<Delivery.Outcome>?
        var status: Int16?
        var detail: String?
        var mend: String?

        init(_ row: ReadDeliveries.Row, of alert: AlertName) {
            endpoint = row.endpoint
            webhookId = alert.delivery(to: row.endpoint)
            channel = row.channel
            // Whoever knows the whole address may post to it, so only the host is shown.
            host = (try? PushTarget(row.target))?.host ?? "unreadable address"
            state = row.state
            attempts = row.attempts
            outcome = row.outcome
            status = row.status
            detail = row.detail
            mend = Self.mend(row)
        }

        private static func mend(_ row: ReadDeliveries.Row) -> String? {
            switch row.outcome?.known {
            case .accepted: nil
            case nil where row.outcome != nil: nil
            case nil: "The attempt has not ended. Look whether the receiver answers, and at the notifier's log."
            case .gone:
                "The receiver said that it is gone, and the endpoint is retired. Add it again when the receiver is back."
            case .refused: mend(refusal: row.detail ?? "")
            case .ambiguous:
                "The receiver took the request and did not answer. It must answer with a status of 2xx at once."
            case .retry: mend(status: row.status)
            }
        }

        private static func mend(refusal detail: String) -> String {
            if detail == PushTargetPolicy.refusal {
                return
                    "Permit all addresses of the name, with their port, in the notifier's AQUA_PUSH_ALLOW, or use a public host."
            }
            return detail.isEmpty
                ? "Nothing was sent. The notifier's log says more."
                : "Nothing was sent: \(detail). Mend that and test again."
        }

        private static func mend(status: Int16?) -> String {
            switch status {
            case nil:
                "It is tried again until the alert is stale. Look whether the receiver runs and is reachable from the notifier."
            case .some(let status) where status == 401 || status == 403:
                "It answered \(status), and is tried again until the alert is stale. Does it verify with the right secret?"
            case .some(let status):
                "It answered \(status), and is tried again until the alert is stale. It must answer with a status of 2xx."
            }
        }

        var text: String {
            var text = "endpoint \(endpoint) (\(channel.rawValue) at \(host)): \(outcome?.rawValue ?? state.rawValue)"
            if let status { text += ", HTTP status \(status)" }
            if let detail, !detail.isEmpty, outcome?.known != .accepted { text += " (\(detail))" }
            return mend.map { text + "\n  " + $0 } ?? text
        }
    }

    var email: String
    var endpoints: [Line]
    /// Whether the alert was withdrawn before a notifier began to send it.
    var isWithdrawn: Bool

    init(email: String, alert: AlertName, deliveries: [ReadDeliveries.Row], isWithdrawn: Bool) {
        self.email = email
        endpoints = deliveries.map { Line($0, of: alert) }
        self.isWithdrawn = isWithdrawn
    }

    var isDelivered: Bool { !endpoints.isEmpty && endpoints.allSatisfy { $0.outcome?.known == .accepted } }

    var text: String {
        if isWithdrawn {
            return
                "No notifier took the test, and it was withdrawn.\n  Is aqua-notifier running? Its log says more, and so does aqua doctor."
        }
        guard !endpoints.isEmpty else {
            return
                "The endpoints of \(email) were retired before the test was sent.\n  Add them again: aqua endpoint add \(email) --webhook URL"
        }
        return endpoints.map(\.text).joined(separator: "\n")
    }
}
