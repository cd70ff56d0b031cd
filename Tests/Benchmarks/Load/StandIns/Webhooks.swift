import Secrets
import TestSupport

/// Receivers of webhooks, at `/e/<device>`.
struct Webhooks: PushStandIn, StandInEndpoints {
    let words = "webhooks"

    let receiver = StandInReceiver.web { request in
        guard let device = Int(request.path.dropFirst("/e/".count)) else { return .notFound }
        return StandInReceipt(
            arrival: Arrival(of: device, in: request.body, key: "type", prefix: "alert."), answer: .status(201))
    }

    func endpoint(of device: Int, at origin: String) -> StandInEndpoint {
        StandInEndpoint(target: "\(origin)/e/\(device)", secret: WebhookSecret.generate().bytes)
    }
}
