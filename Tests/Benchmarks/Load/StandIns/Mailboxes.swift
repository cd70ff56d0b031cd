import Foundation
import Messaging
import TestSupport
import WaterQuality

/// The operator's mail server, with a mailbox for each device's owner.
struct Mailboxes: PushStandIn, StandInEndpoints {
    let words = "mailboxes"
    let isOneHost = true

    let receiver = StandInReceiver.mail { recipient in
        Fleet.number(of: recipient.prefix { $0 != "@" })
    }

    func settings(at origin: String, in directory: URL) -> [String: String] {
        ["AQUA_SMTP_URL": origin, "AQUA_MAIL_FROM": "alerts@example.org"]
    }

    static func address(of device: Int) -> String { "\(Fleet.hardwareID(device))@example.org" }

    func endpoint(of device: Int, at origin: String) throws -> StandInEndpoint {
        try StandInEndpoint(on: .email, [.email: Self.address(of: device)])
    }
}
