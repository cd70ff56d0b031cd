import Crypto
import Foundation
import NIOHPACK
import TestSupport
import WebPush

/// Push services of browsers, at `/e/<device>`.
struct Browsers: PushStandIn {
    let words = "browsers"

    /// What is encrypted is known by its address and its urgency.
    let receiver = StandInReceiver.web { request in
        guard let device = Int(request.path.dropFirst("/e/".count)) else { return .notFound }
        var arrival = Arrival(alarmOf: device)
        if request.headers.first(name: "urgency") != "high" { arrival.purpose = .recovery }
        return StandInReceipt(arrival: arrival, answer: .status(201))
    }

    func endpoints(in system: TestSystem) throws -> any StandInEndpoints {
        try BenchBrowser(vapidKeyFile: system.path("vapid-key"))
    }
}

/// A browser's subscription without a browser: the cost of sending to it is the same.
private struct BenchBrowser: StandInEndpoints {
    let keys: SubscriptionKeys
    /// The id of the system's VAPID key.
    let vapidKey: String

    init(vapidKeyFile: String) throws {
        let line = try String(contentsOfFile: vapidKeyFile, encoding: .utf8)
        guard let key = VAPIDKey(line),
            let keys = SubscriptionKeys(
                stored: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
                    + [UInt8](repeating: 7, count: 16))
        else { throw TestSupportError("The test's keys are none") }
        self.keys = keys
        vapidKey = key.publicKey.id
    }

    func endpoint(of device: Int, at origin: String) -> StandInEndpoint {
        StandInEndpoint(
            target: "\(origin)/e/\(device)", secret: keys.bytes, fingerprint: keys.fingerprint, vapidKey: vapidKey)
    }
}
