import Messaging
import TestSupport
import WaterQuality

/// Servers of ntfy, each device's owner with a topic, for messaging services that take JSON over HTTP.
struct Topics: PushStandIn, StandInEndpoints {
    let words = "ntfy topics"

    let receiver = StandInReceiver.web { request in
        guard request.path == "/", let device = request.body.text(of: "topic").flatMap(Fleet.number(of:)) else {
            return .notFound
        }
        return StandInReceipt(arrival: Arrival(alarmOf: device), answer: .body("{}"))
    }

    func endpoint(of device: Int, at origin: String) throws -> StandInEndpoint {
        try StandInEndpoint(on: .ntfy, [.server: origin, .topic: Fleet.hardwareID(device)])
    }
}
