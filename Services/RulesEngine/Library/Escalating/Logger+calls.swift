import Logging
import ServiceKit
import WaterQuality

extension Logger {
    /// Logs calls that are committed. Who is called appears in no log line.
    func note(_ calls: [MakeCalls.Call]) {
        for call in calls {
            var facts: [LogKey: Logger.MetadataValue] = [
                .kind: "\(call.kind.rawValue)", .purpose: "\(Alert.Purpose.escalation.rawValue)",
                .reason: "\(call.outcome.rawValue)", .slot: "\(call.key.slot.rawValue)", .deviceID: "\(call.device)",
            ]
            if let uid = call.uid { facts[.alertID] = "\(uid)" }
            info("Call", facts)
        }
    }
}
