import FoundationEssentials
import Instants
import Store
import WaterQuality

/// The payload of Prometheus Alertmanager's webhooks, version 4, so that receivers which take its alerts take ours.
///
/// https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
struct AlertmanagerPayload: Encodable {
    enum Status: String, Encodable { case firing, resolved }

    struct Alert: Encodable {
        let status: Status
        let labels: AlertmanagerLabels
        let annotations: [String: String]
        let startsAt: String
        let endsAt: String
        let generatorURL: String
        let fingerprint: String
    }

    let version = "4"
    let receiver = "aquamonitor"
    let status: Status
    let alerts: [Alert]
    let groupKey: String
    let groupLabels: AlertmanagerLabels
    let commonLabels: AlertmanagerLabels
    let commonAnnotations: [String: String]
    let externalURL: String
    let truncatedAlerts: Int

    /// The most alerts of one message; how many more there are is said.
    static let longest = 64

    init(_ content: WebhookContent, from origin: String?) {
        let listed = content.alerts.prefix(Self.longest)
        // What is told of one alert is the message's own words.
        let words = content.alerts.count == 1 ? (title: content.title, body: content.text) : nil
        alerts = listed.map { alert in
            let told = alert.message
            return Alert(
                alert, as: words ?? (told.title, told.body), url: origin.map { $0 + content.path } ?? "")
        }
        truncatedAlerts = content.alerts.count - listed.count
        status = content.alerts.allSatisfy(\.isOver) ? .resolved : .firing
        commonLabels = AlertmanagerLabels(values: Self.shared(alerts.map(\.labels.values)))
        commonAnnotations = Self.shared(alerts.map(\.annotations))
        // An alert by itself is a group by itself: what ends it ends nothing else.
        groupLabels = commonLabels
        groupKey = "{}:\(groupLabels.text)"
        externalURL = origin ?? ""
    }

    private static func shared(_ all: [[String: String]]) -> [String: String] {
        guard let first = all.first else { return [:] }
        return first.filter { name, value in all.allSatisfy { $0[name] == value } }
    }

    func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self))
    }
}

extension AlertmanagerPayload.Alert {
    /// What Alertmanager says of an alert that has not ended.
    private static let noEnd = "0001-01-01T00:00:00Z"

    init(_ alert: StoredAlert, as words: (title: String, body: String), url: String) {
        let end = max(alert.openedAt, alert.purpose.known == .recovery ? alert.eventTime : alert.decidedAt)
        status = alert.isOver ? .resolved : .firing
        labels = AlertmanagerLabels(alert)
        annotations = Self.annotations(of: alert, as: words)
        startsAt = alert.openedAt.iso8601
        endsAt = (alert.isOver ? end : Self.expiry(of: alert))?.iso8601 ?? Self.noEnd
        generatorURL = url
        fingerprint = labels.fingerprint
    }

    /// When what no message ends is over: a test and a note soon, a warning when the limit is reached.
    private static func expiry(of alert: StoredAlert) -> Timestamp? {
        switch alert.content {
        case .test, .way, .signIn, .summary, .proof, .care: alert.decidedAt + .seconds(300)
        case .ahead(let ahead): ahead.outlook?.expectedAt
        case .byHand: alert.eventTime + HandJudgement.lasts
        case .range, .silence, .fault, .rate, .other: nil
        }
    }

    private static func annotations(
        of alert: StoredAlert, as words: (title: String, body: String)
    ) -> [String: String] {
        var all = ["summary": words.title, "description": words.body, "severity": severity(of: alert)]
        all["device_name"] = alert.deviceName
        if case .range(let range) = alert.content {
            let told = range.told(in: alert.unit)
            all["side"] = range.side.rawValue
            all["value"] = "\(told.number(range.value))"
            all["limit"] = "\(told.number(range.toldLimit))"
            all["unit"] = told.unit.rawValue
        }
        return all
    }

    private static func severity(of alert: StoredAlert) -> String {
        if alert.content.range?.isCritical == true { return "critical" }
        return alert.device == nil ? "info" : "warning"
    }
}
