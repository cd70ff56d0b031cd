import Foundation
import TestSupport

/// Firebase Cloud Messaging, which grants tokens as well, with one phone for each device's owner.
struct AndroidDevices: PushStandIn, StandInEndpoints {
    let words = "apps on Android devices"
    let isOneHost = true

    let receiver = StandInReceiver.web { request in
        switch request.path {
        case "/token":
            return StandInReceipt(
                answer: .body(#"{"access_token":"token-of-the-bench","expires_in":3600,"token_type":"Bearer"}"#))
        case "/v1/projects/\(GoogleMessaging.project)/messages:send":
            guard let device = request.body.text(of: "token").flatMap(Fleet.number(of:)) else { return .notFound }
            return StandInReceipt(
                arrival: Arrival(of: device, in: request.body, key: "purpose"), answer: .body(#"{"name":"0"}"#))
        default: return .notFound
        }
    }

    func settings(at origin: String, in directory: URL) throws -> [String: String] {
        let file = try GoogleMessaging.newAccountFile(at: origin).store(as: "fcm-key", in: directory)
        return ["AQUA_FCM_KEY_FILE": file]
    }

    func options(at origin: String) -> [String] { ["--google", origin] }

    func endpoint(of device: Int, at origin: String) -> StandInEndpoint {
        let token = Fleet.hardwareID(device)
        return StandInEndpoint(target: "\(origin)/\(token)", secret: Array(token.utf8))
    }
}
