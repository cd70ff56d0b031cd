import FoundationEssentials
package import Instants
import PushClient
package import Secrets
import Store
import WaterQuality

/// An alert as Standard Webhooks wants it: a JSON body, and headers that identify and sign it.
package struct WebhookMessage: Sendable {
    package let body: [UInt8]
    /// `webhook-id`, `webhook-timestamp`, `webhook-signature` and the body's type.
    package let headers: [(name: String, value: String)]

    /// Signed anew in each attempt, because the attempt's time is part of it.
    /// - Parameter secrets: Each signs.
    package init(_ alert: RenderedAlert, secrets: [WebhookSecret], at time: Timestamp) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let message = SignedWebhook(
            id: alert.id, body: try Array(encoder.encode(Envelope(alert))), secrets: secrets, at: time)
        body = message.body
        headers = message.headers
    }
}

/// What receivers read; its names, in snake case, are a promise to them.
private struct Envelope: Encodable {
    /// `alert.alarm`, `alert.reminder`, `alert.recovery` or `alert.test`.
    let type: String
    /// When the alert was decided.
    let timestamp: String
    let data: Content

    init(_ alert: RenderedAlert) {
        type = "alert.\(alert.purpose.rawValue)"
        timestamp = alert.decidedAt.iso8601
        data = Content(alert)
    }

    struct Content: Encodable {
        let alertID: String
        let kind: String
        let collapseKey: String
        let title: String
        let text: String
        let decidedAt: String
        let device: Device?
        let parameter: String?
        let side: String?
        let value: Double?
        let limit: Double?
        let unit: String?
        let since: String?
        let eventTime: String?
        let receivedAt: String?
        let checkProbe: Bool?
        let anotherProbe: Bool?
        let critical: Bool?
        let unstable: Bool?
        let change: Change?
        let outlook: Outlook?

        struct Change: Encodable {
            let by: Double
            let seconds: Int64
            let limit: Double
        }

        struct Outlook: Encodable {
            let side: String
            let limit: Double
            let expectedAt: String
        }

        struct Device: Encodable {
            let id: String
            let name: String
        }

        init(_ alert: RenderedAlert) {
            let facts = alert.facts
            alertID = alert.alert.text
            kind = alert.kind.rawValue
            collapseKey = alert.collapseKey
            title = alert.title
            text = alert.body
            decidedAt = alert.decidedAt.iso8601
            device = facts.map { Device(id: $0.deviceID, name: $0.deviceName) }
            parameter = facts?.parameter?.name
            side = facts?.water.map { $0.side == .low ? "low" : "high" }
            value = facts?.water?.value ?? facts?.course?.value ?? facts?.outlook?.value ?? facts?.flat?.value
            limit = facts?.water?.limit
            unit = (facts?.water?.unit ?? facts?.course?.unit ?? facts?.outlook?.unit ?? facts?.flat?.unit)?.rawValue
            since = facts?.since.iso8601
            eventTime = facts?.eventTime.iso8601
            receivedAt = facts?.receivedAt?.iso8601
            checkProbe = facts?.checkProbe
            anotherProbe = facts.flatMap { $0.isAnotherProbe ? true : nil }
            critical = facts?.isCritical
            unstable = facts?.isUnstable
            change = facts?.course.map { Change(by: $0.by, seconds: $0.seconds, limit: $0.limit) }
            outlook = facts?.outlook.map {
                Outlook(
                    side: $0.side == .low ? "low" : "high", limit: $0.limit, expectedAt: $0.expectedAt.iso8601)
            }
        }
    }
}
