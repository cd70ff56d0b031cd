import Foundation
import Messaging
import TestSupport
import WaterQuality

/// A provider of text messages with Twilio's REST interface, at which each device's owner has an account, named as the device.
struct Telephones: PushStandIn, StandInEndpoints {
    let words = "telephones"

    private static let accounts = "/2010-04-01/Accounts/"
    private static let messages = "/Messages.json"

    let receiver = StandInReceiver.web { request in
        let path = request.path
        guard path.hasPrefix(Self.accounts), path.hasSuffix(Self.messages),
            let device = Fleet.number(of: path.dropFirst(Self.accounts.count).dropLast(Self.messages.count))
        else { return .notFound }
        return StandInReceipt(arrival: Arrival(alarmOf: device), answer: TelephonyProvider.accepted)
    }

    func endpoint(of device: Int, at origin: String) throws -> StandInEndpoint {
        try StandInEndpoint(
            on: .sms,
            [
                .server: origin, .account: Fleet.hardwareID(device), .token: "token-of-the-bench",
                .from: "+15550100200", .to: "+1555\(String(format: "%07d", device))",
            ])
    }
}
