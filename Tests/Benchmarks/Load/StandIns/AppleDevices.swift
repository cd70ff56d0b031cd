import Crypto
import Foundation
import TestSupport

/// Apple's push service, with one phone for each device's owner.
struct AppleDevices: PushStandIn, StandInEndpoints {
    let words = "apps on Apple devices"
    let isOneHost = true

    private static let phones = "/3/device/"

    let receiver = StandInReceiver.web { request in
        guard request.path.hasPrefix(Self.phones),
            let device = Int(request.path.dropFirst(Self.phones.count), radix: 16)
        else { return .notFound }
        return StandInReceipt(arrival: Arrival(of: device, in: request.body, key: "purpose"), answer: .status(200))
    }

    /// A key of the benchmark's own, as a file of Apple's.
    func settings(at origin: String, in directory: URL) throws -> [String: String] {
        let file = try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).store(as: "apns-key", in: directory)
        return [
            "AQUA_APNS_KEY_FILE": file, "AQUA_APNS_KEY_ID": "ABC123DEFG", "AQUA_APNS_TEAM_ID": "DEF123GHIJ",
            "AQUA_APNS_TOPIC": "org.example.water",
        ]
    }

    func options(at origin: String) -> [String] { ["--apple", origin] }

    func endpoint(of device: Int, at origin: String) -> StandInEndpoint {
        let token = String(format: "%064x", device)
        return StandInEndpoint(target: "\(origin)\(Self.phones)\(token)", secret: Array(token.utf8))
    }
}
