package import Instants
import Messaging
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
        let envelope: JSONObject = [
            // `alert.` and the purpose
            "type": "alert.\(alert.alert.purpose.rawValue)",
            "timestamp": alert.alert.decidedAt.iso8601,
            "data": alert.data,
        ]
        let message = SignedWebhook(id: alert.id, body: try envelope.bytes(), secrets: secrets, at: time)
        body = message.body
        headers = message.headers
    }
}

extension RenderedAlert {
    /// The data of a webhook; its names are a promise to receivers.
    fileprivate var data: JSONObject {
        let all: JSONObject = [
            "alert_id": alert.name.text,
            "kind": alert.kind.rawValue,
            "collapse_key": collapseKey,
            "title": title,
            "text": body,
            "decided_at": alert.decidedAt.iso8601,
        ]
        guard let device = alert.device else { return all }
        return all + [
            "device": ["id": device, "name": alert.deviceName] as JSONObject,
            "parameter": alert.content.subject?.name,
            "since": alert.openedAt.iso8601,
            "event_time": alert.eventTime.iso8601,
            "received_at": alert.receivedAt?.iso8601,
            "check_probe": alert.checkProbe,
            "another_probe": alert.isAnotherProbe ? true : nil,
            "critical": alert.content.range?.isCritical ?? false,
            "unstable": alert.content.range?.isUnstable ?? false,
            "caller": alert.call?.caller,
        ] + values
    }

    /// The values of a kind, in the person's unit.
    private var values: JSONObject {
        switch alert.content {
        case .range(let range):
            let told = range.told(in: alert.unit)
            return [
                "side": range.side.rawValue, "value": told.number(range.value), "limit": told.number(range.toldLimit),
                "unit": told.unit.rawValue,
            ]
        case .fault(let fault):
            guard let (told, flatAt) = fault.told(in: alert.unit) else { return [:] }
            return ["value": told.number(flatAt), "unit": told.unit.rawValue]
        case .rate(let rate):
            guard let (told, change) = rate.told(in: alert.unit) else { return [:] }
            return [
                "value": told.shown(change.value), "unit": told.unit.rawValue,
                "change": [
                    "by": told.number(change.by), "seconds": change.within.components.seconds,
                    "limit": told.number(change.limit),
                ] as JSONObject,
            ]
        case .ahead(let ahead):
            guard let (told, outlook) = ahead.told(in: alert.unit) else { return [:] }
            return [
                "value": told.number(outlook.value), "unit": told.unit.rawValue,
                "outlook": [
                    "side": outlook.side.rawValue, "limit": told.number(outlook.limit),
                    "expected_at": outlook.expectedAt.iso8601,
                ] as JSONObject,
            ]
        case .silence, .test, .way, .signIn, .other: return [:]
        }
    }
}
