import Instants
import Messaging
package import Store
import WaterQuality

/// What a webhook is told, whatever the form: an alert, or several together, in the words and units of their person.
package struct WebhookContent: Sendable {
    /// The message's id, the same in every attempt.
    package var id: String
    package var collapseKey: String
    /// At least one, the gravest first.
    package var alerts: [StoredAlert]
    package var title: String
    package var text: String
    /// Where the web app shows it, below the installation's origin.
    package var path: String

    package init(
        id: String, collapseKey: String, alerts: [StoredAlert], title: String, text: String, path: String
    ) {
        precondition(!alerts.isEmpty, "A message tells of an alert.")
        self.id = id
        self.collapseKey = collapseKey
        self.alerts = alerts
        self.title = title
        self.text = text
        self.path = path
    }

    /// A message about one alert.
    package init(_ alert: StoredAlert, id: String) {
        let words = alert.message
        self.init(
            id: id, collapseKey: alert.collapseKey, alerts: [alert], title: words.title, text: words.body,
            path: "/alerts/\(alert.name.text)")
    }
}

extension WebhookContent {
    var alert: StoredAlert { alerts[0] }

    /// `alert.` and the purpose.
    var type: String { "alert.\(alert.purpose.rawValue)" }

    /// The data of a message; its names are a promise to receivers.
    var data: JSONObject {
        let all: JSONObject = [
            "alert_id": alert.name.text,
            "kind": alert.kind.rawValue,
            "collapse_key": collapseKey,
            "title": title,
            "text": text,
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
            "silence_hint": alert.silenceHint.map {
                ["kind": $0.kind.rawValue, "number": $0.number] as JSONObject
            },
            "critical": alert.content.isCritical,
            "unstable": alert.content.range?.isUnstable ?? false,
            "after_work": alert.content.range?.isAfterWork == true ? true : nil,
            "caller": alert.call?.caller,
        ] + alert.values
    }
}

extension StoredAlert {
    /// Whether it tells that something is over, or of no concern any more.
    var isOver: Bool { purpose.known.map { [.recovery, .ended, .past, .calledOff].contains($0) } ?? false }

    /// The values of a kind, in the person's unit.
    var values: JSONObject {
        switch content {
        case .range(let range):
            let told = range.told(in: unit)
            return [
                "side": range.side.rawValue, "value": told.number(range.value), "limit": told.number(range.toldLimit),
                "unit": told.unit.rawValue,
            ]
        case .fault(let fault):
            if let (told, by) = fault.toldDifference(in: unit) {
                return ["unit": told.unit.rawValue, "differs": ["by": told.number(by)] as JSONObject]
            }
            guard let (told, flatAt) = fault.told(in: unit) else { return [:] }
            return ["value": told.number(flatAt), "unit": told.unit.rawValue]
        case .rate(let rate):
            guard let (told, change) = rate.told(in: unit) else { return [:] }
            return [
                "value": told.shown(change.value), "unit": told.unit.rawValue,
                "change": [
                    "by": told.number(change.by), "seconds": change.within.components.seconds,
                    "limit": told.number(change.limit),
                ] as JSONObject,
            ]
        case .ahead(let ahead):
            guard let (told, outlook) = ahead.told(in: unit) else { return [:] }
            return [
                "value": told.number(outlook.value), "unit": told.unit.rawValue,
                "outlook": [
                    "side": outlook.side.rawValue, "limit": told.number(outlook.limit),
                    "expected_at": outlook.expectedAt.iso8601,
                ] as JSONObject,
            ]
        case .byHand(let byHand):
            guard let (told, found) = byHand.told(in: unit) else { return [:] }
            return [
                "side": found.side.rawValue, "value": told.number(found.value), "limit": told.number(found.limit),
                "unit": told.unit.rawValue,
            ]
        case .silence, .test, .way, .signIn, .summary, .proof, .care, .other: return [:]
        }
    }
}
