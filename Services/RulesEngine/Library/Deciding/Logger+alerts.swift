import Logging
import ServiceKit
import Store
import WaterQuality

extension Logger {
    /// Logs alerts that are committed. Values and limits are private and appear in no log line.
    func note(_ alerts: [AlertRecord], _ numbers: ReservedNumbers) {
        for alert in alerts {
            var facts: [LogKey: Logger.MetadataValue] = [
                .alertID: "\(alert.uid)", .episodeID: "\(numbers[alert.episode].rawValue)",
                .kind: "\(alert.subject.kind.rawValue)", .purpose: "\(alert.purpose.rawValue)",
                .slot: "\(alert.subject.device.slot.rawValue)", .deviceID: "\(alert.subject.device)",
                .eventTime: "\(alert.eventTime)",
            ]
            if let parameter = alert.subject.parameter { facts[.parameter] = "\(parameter.name)" }
            if let receivedAt = alert.receivedAt { facts[.receivedAt] = "\(receivedAt)" }
            info("Alert", facts)
        }
    }
}
