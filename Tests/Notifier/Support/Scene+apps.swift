import Crypto
import Foundation
import Secrets
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

extension Scene {
    static let appleKey = P256.Signing.PrivateKey()
    static let apple = AppleMessage.Account(
        team: "DEF123GHIJ", keyID: "ABC123DEFG", topic: "org.example.water",
        publicKey: Array(appleKey.publicKey.x963Representation))

    /// The token of a phone.
    static func phone(_ number: Int) -> String { String(format: "%064x", number) }

    func apns(allowsCritical: Bool = false) throws -> APNsSettings {
        let key = try #require(APNsKey(file: Array(Self.appleKey.pemRepresentation.utf8)))
        return APNsSettings(
            key: Renewable(key), keyID: Self.apple.keyID, teamID: Self.apple.team, topic: Self.apple.topic,
            server: sink.url(path: ""), allowsCritical: allowsCritical)
    }

    func fcm(_ google: GoogleMessaging) throws -> FCMSettings {
        let account = try #require(ServiceAccount(file: Array(google.accountFile)))
        return FCMSettings(account: Renewable(account), server: google.origin)
    }

    /// Registers an app as the Gateway does.
    /// - Parameter age: How long ago it said last that its token is its own, in seconds.
    func app(_ number: Int64, on channel: Endpoint.Channel = .apns, token: String? = nil, age: Int = 0) async throws {
        let token = token ?? Self.phone(Int(number))
        let address = "https://api.push.apple.com/3/device/\(token)"
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: address, secret: Array(token.utf8)), with: Self.key, channel: channel.rawValue,
            number: number)
        let hexadecimal = sealed.bytes.map { String(format: "%02x", $0) }.joined()
        try await database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, created_at, confirmed_at)
            VALUES (\(number), \(account), '\(channel.rawValue)', '\(address)', '\\x\(hexadecimal)',
                now() - interval '1 day', now() - interval '\(age) s')
            """)
    }

    static let origin = PublicOrigin("https://water.example.org")
}
