import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport

/// The services' counters, read from their metrics as an operator does.
struct ServiceCounters: Sendable {
    private let addresses: [String: String]

    /// - Parameter addresses: The addresses of the queried services, by program.
    init(addresses: [String: String]) { self.addresses = addresses }

    /// Waits until the services are ready.
    init(_ system: TestSystem) async throws {
        var addresses: [String: String] = [:]
        for program in TestSystem.services { addresses[program] = try await system.process(program).untilReady() }
        self.addresses = addresses
    }

    /// Messages that an Ingestor has committed.
    func ingested() async throws -> Int { try await value("aqua_ingestor_messages_total", of: "aqua-ingestor") }
    /// Messages that were evaluated.
    func decided() async throws -> Int { try await value("aqua_rules_messages_total", of: "aqua-rules") }

    /// The number of slots' hours that an Ingestor has rolled up.
    func rolledUp() async throws -> Int {
        try await value(#"aqua_ingestor_rollups_total{reason="ended"}"#, of: "aqua-ingestor")
    }

    private func value(_ name: String, of program: String) async throws -> Int {
        guard let address = addresses[program] else { throw TestSupportError("\(program) does not run") }
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "http://\(address)/metrics"), timeout: .seconds(30))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        guard let number = line?.split(separator: " ").last, let value = Double(number) else {
            throw TestSupportError("\(program) does not count \(name)")
        }
        return Int(value)
    }
}
