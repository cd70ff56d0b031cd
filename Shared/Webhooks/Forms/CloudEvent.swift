import Instants
import Messaging
import Store
import WaterQuality

extension WebhookContent {
    /// A CloudEvent 1.0, structured, in JSON. Its data are those of our own form.
    func cloudEvent(from origin: String?) -> JSONObject {
        let subject = [alert.device, alert.content.subject?.name].compactMap(\.self).joined(separator: "/")
        return [
            "specversion": "1.0",
            "id": id,
            "source": origin ?? "urn:aquamonitor:service",
            "type": "org.aquamonitor.\(type)",
            "subject": subject.isEmpty ? nil : subject,
            "time": alert.decidedAt.iso8601,
            "datacontenttype": "application/json",
            "data": data,
        ]
    }
}
