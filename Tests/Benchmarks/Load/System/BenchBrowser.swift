import ArgumentParser
import Crypto
import Foundation
import TestSupport
import WebPush

/// What a storm's alerts go to. The raw values are the channels of endpoints.
enum PushKind: String, CaseIterable, ExpressibleByArgument, Encodable, Sendable {
    case webhook, webPush

    var words: String { self == .webhook ? "webhooks" : "browsers" }
}

/// A browser that nobody reads with: what it costs to send to it is the same for all.
struct BenchBrowser: Sendable {
    let keys: SubscriptionKeys
    /// The id of the system's key.
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
