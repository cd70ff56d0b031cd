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

    static func url(of device: Int, at origin: String) -> String { "\(origin)/e/\(device)" }

    func endpoint(of device: Int, at origin: String) -> StandInEndpoint {
        StandInEndpoint(target: Self.url(of: device, at: origin), secret: WebhookSecret.generate().bytes)
    }
}
