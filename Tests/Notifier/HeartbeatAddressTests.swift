import Foundation
import PushTargets
import ServiceKit
import TestSupport
import Testing

@testable import Notifier

/// The heartbeat address is read from a variable or a file, is held to the rules of webhooks, and shows up nowhere.
@Suite struct HeartbeatAddressTests {
    private static let url = "https://hc-ping.com/0b7c-secret"
    private static let policy = PushTargetPolicy()

    private static func read(
        _ environment: [String: String], _ policy: PushTargetPolicy = policy
    ) throws
        -> HeartbeatAddress?
    {
        try Configuration.read(from: environment) { HeartbeatAddress($0, policy: policy) }
    }

    private static func faults(_ environment: [String: String]) -> [String] {
        do {
            _ = try read(environment)
            return []
        } catch let faults as ConfigurationFaults {
            return faults.faults.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    private static func withFile<Result>(
        _ text: String, mode: Int = 0o600, _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            let path = directory.appending(path: "url").path(percentEncoded: false)
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data("\(text)\n".utf8), attributes: [.posixPermissions: mode]))
            return try await body(path)
        }
    }

    @Test func `it is a variable or a file, which is read anew`() async throws {
        #expect(try Self.read([:]) == nil)
        #expect(try Self.read(["AQUA_HEARTBEAT_URL": Self.url])?.target(Self.policy).url == Self.url)
        try await Self.withFile(Self.url) { path in
            let address = try #require(try Self.read(["AQUA_HEARTBEAT_URL_FILE": path]))
            #expect(try address.target(Self.policy).url == Self.url)
            try Data("https://hc-ping.com/other".utf8).write(to: URL(filePath: path))
            #expect(try address.target(Self.policy).url == "https://hc-ping.com/other")
        }
    }

    @Test func `both at once, and what may not be called, are faults that do not repeat the address`() async throws {
        try await Self.withFile(Self.url) { path in
            let faults = Self.faults(["AQUA_HEARTBEAT_URL": Self.url, "AQUA_HEARTBEAT_URL_FILE": path])
            #expect(faults.count == 1 && faults[0].contains("remove one of the two"), "\(faults)")
        }
        for address in ["http://hc-ping.com/secret", "https://10.0.0.7/secret", "https://kuma:3001/secret", "secret"] {
            let faults = Self.faults(["AQUA_HEARTBEAT_URL": address])
            #expect(faults.count == 1 && faults[0].hasPrefix("AQUA_HEARTBEAT_URL names an address that is not called"))
            #expect(!faults.joined().contains("secret"), "\(faults)")
        }
        try await Self.withFile(Self.url, mode: 0o644) { path in
            let faults = Self.faults(["AQUA_HEARTBEAT_URL_FILE": path])
            #expect(faults.count == 1 && faults[0].contains("is open to other users"), "\(faults)")
        }
    }

    @Test func `one in the operator's own network is permitted as webhooks are`() throws {
        let allowed = try #require(PushAllowList("10.0.0.0/8:3001"))
        let url = "http://10.0.0.7:3001/api/push/secret"
        let address = try Self.read(["AQUA_HEARTBEAT_URL": url], PushTargetPolicy(allowed: allowed))
        #expect(try address?.target(PushTargetPolicy(allowed: allowed)).url == url)
    }

    @Test func `it is not printed`() throws {
        let address = try #require(try Self.read(["AQUA_HEARTBEAT_URL": Self.url]))
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!"\(address)\(dumped)".contains("secret"))
    }
}
