import CryptoExtras
import Foundation
import ServiceKit
import TestSupport
import Testing

@testable import Notifier

/// What an operator gives for apps, whole or not at all.
@Suite struct AppSettingsTests {
    private static let names = [
        "AQUA_APNS_KEY_ID": "ABC123DEFG", "AQUA_APNS_TEAM_ID": "DEF123GHIJ", "AQUA_APNS_TOPIC": "org.example.water",
    ]

    private static func with(
        _ content: Data, mode: Int = 0o600, _ body: (String) throws -> Void
    ) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let path = directory.appending(path: "key").path(percentEncoded: false)
            try content.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            try body(path)
        }
    }

    private static func faults<Value>(
        _ environment: [String: String], _ read: (ConfigurationReader) -> Value
    ) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try Configuration.read(from: environment, read)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private static var appleKey: Data { Data(Scene.appleKey.pemRepresentation.utf8) }

    @Test func `a key as Apple hands it out is read, and production is the standard`() async throws {
        try await Self.with(Self.appleKey) { path in
            var environment = Self.names
            environment["AQUA_APNS_KEY_FILE"] = path
            let settings = try #require(try Configuration.read(from: environment) { APNsSettings($0) })
            #expect(settings.server == "https://api.push.apple.com" && !settings.allowsCritical)
            #expect(settings.topic == "org.example.water")
            environment["AQUA_APNS_SERVER"] = "sandbox"
            environment["AQUA_APNS_CRITICAL"] = "on"
            let other = try #require(try Configuration.read(from: environment) { APNsSettings($0) })
            #expect(other.server == "https://api.sandbox.push.apple.com" && other.allowsCritical)
        }
    }

    @Test func `whatever is missing is named, and nothing is missing where nothing is set`() async throws {
        #expect(Self.faults([:]) { APNsSettings($0) } == [])
        try await Self.with(Self.appleKey) { path in
            var whole = Self.names
            whole["AQUA_APNS_KEY_FILE"] = path
            for name in whole.keys {
                var environment = whole
                environment[name] = nil
                let faults = Self.faults(environment) { APNsSettings($0) }
                #expect(faults.count == 1 && faults[0].contains("\(name) is not set, although"), "\(faults)")
            }
            for (name, value) in [
                ("AQUA_APNS_SERVER", "https://evil.example"), ("AQUA_APNS_KEY_ID", "abc"), ("AQUA_APNS_TOPIC", "a/b"),
                ("AQUA_APNS_CRITICAL", "perhaps"),
            ] {
                let faults = Self.faults(whole.merging([name: value]) { $1 }) { APNsSettings($0) }
                #expect(faults.count == 1 && faults[0].contains(name), "\(faults)")
            }
        }
    }

    @Test func `a key that others may read, or that is none, is refused`() async throws {
        for (content, mode, words) in [
            (Self.appleKey, 0o644, "is open to other users"),
            (Data("none".utf8), 0o600, "is no key as Apple hands it out"),
        ] {
            try await Self.with(content, mode: mode) { path in
                var environment = Self.names
                environment["AQUA_APNS_KEY_FILE"] = path
                let faults = Self.faults(environment) { APNsSettings($0) }
                #expect(faults.count == 1 && faults[0].contains(words), "\(faults)")
                #expect(!faults.joined().contains("PRIVATE"))
            }
        }
    }

    @Test func `a service account is read, and anything else is refused`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let whole = [
            "type": "service_account", "project_id": "water-club-1", "private_key_id": "0a",
            "private_key": key.pemRepresentation, "client_email": "a@b.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token",
        ]
        try await Self.with(JSONSerialization.data(withJSONObject: whole)) { path in
            let read = try Configuration.read(from: ["AQUA_FCM_KEY_FILE": path]) { FCMSettings($0) }
            let settings = try #require(read)
            #expect(settings.server == "https://fcm.googleapis.com")
            #expect(settings.account.current.project == "water-club-1")
        }
        for (name, value) in [
            ("type", "authorized_user"), ("project_id", "../x"), ("private_key", "none"),
            ("token_uri", "http://127.0.0.1/token"),
        ] {
            let content = try JSONSerialization.data(withJSONObject: whole.merging([name: value]) { $1 })
            try await Self.with(content) { path in
                let faults = Self.faults(["AQUA_FCM_KEY_FILE": path]) { FCMSettings($0) }
                #expect(faults.count == 1 && faults[0].contains("is no key of a Google service account"), "\(faults)")
            }
        }
    }
}
