import Logging
import ServiceKit
import Store
import WaterQuality

extension Logger {
    /// Logs alerts of the kinds beside range that are committed.
    func note(_ alerts: [ProbeAlert], _ numbers: ReservedNumbers) {
        for alert in alerts {
            var facts: [LogKey: Logger.MetadataValue] = [
                .alertID: "\(alert.uid)", .episodeID: "\(numbers[alert.episode].rawValue)",
                .kind: "\(alert.kind.rawValue)", .purpose: "\(alert.purpose.rawValue)",
                .slot: "\(alert.key.device.slot.rawValue)", .deviceID: "\(alert.key.device)",
                .eventTime: "\(alert.eventTime)",
            ]
            if let parameter = alert.key.parameter { facts[.parameter] = "\(parameter.name)" }
            info("Alert", facts)
        }
    }
}
