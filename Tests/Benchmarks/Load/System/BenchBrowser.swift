import ArgumentParser
import Crypto
import Foundation
import TestSupport
import WebPush

/// The endpoints of a storm's alerts. The raw values are the channels of endpoints.
enum PushKind: String, CaseIterable, ExpressibleByArgument, Encodable, Sendable {
    case webhook, webPush

    var words: String { self == .webhook ? "webhooks" : "browsers" }
}

/// A browser's subscription without a browser: the cost of sending to it is the same.
struct BenchBrowser: Sendable {
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
}
