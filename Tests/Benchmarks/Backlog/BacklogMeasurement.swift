import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ServiceKit
import Store
import TestSupport
import WaterQuality

/// Starts an engine after a day without one, and measures the time until no batch waits, and whether the engine was
/// ready throughout.
struct BacklogMeasurement: Sendable {
    let messages: Int
    let seed: UInt64

    private static let day = 86_400
    /// The number of devices, each of which sends two messages a minute.
    private var devices: Int { max(64, messages / (Self.day / 30)) }

    func run() async throws -> BacklogFigures {
        step("Starting servers that wait for the disk")
        return try await PushSink.with { _ in
        } body: { sink in
            try await TestSystem.with(durability: .full) { system in
                try await requireDurability(system.database)
                step("Adding \(devices) devices")
                try await Fleet(devices: devices).provision(system, sink: sink)
                step("Storing \(messages) messages of a day that nobody has decided")
                let backlog = WaitingMessages(count: messages, devices: devices, span: .seconds(Self.day), seed: seed)
                let batches = try await backlog.store(in: system.database)
                return try await measure(system, batches: batches)
            }
        }
    }

    private func measure(_ system: TestSystem, batches: Int) async throws -> BacklogFigures {
        step("Starting the engine")
        let started = ContinuousClock.now
        try system.start("aqua-rules")
        let engine = try system.process("aqua-rules")
        let address = try await engine.untilReady()
        let readyAfter = ContinuousClock.now - started
        var (looks, unready) = (0, 0)
        var peak = 0.0
        while try await decided(address) < messages {
            guard ContinuousClock.now - started < .seconds(3_600) else {
                throw TestSupportError("\(try await decided(address)) of \(messages) messages were decided in an hour")
            }
            looks += 1
            if try await !isReady(address) { unready += 1 }
            peak = max(peak, ProcessUsage.ofTree(engine.pid).memoryMiB)
            try await Task.sleep(for: .milliseconds(100))
        }
        let took = ContinuousClock.now - started
        guard try await system.database.sql("SELECT count(*) FROM evaluation_batch") == "0" else {
            throw TestSupportError("Batches wait although everything was decided")
        }
        return BacklogFigures(
            backlogMessages: messages, backlogBatches: batches, backlogSeconds: took / .seconds(1),
            backlogMessagesPerSecond: (Double(messages) / (took / .seconds(1))).rounded(),
            backlogReadyAfterSeconds: readyAfter / .seconds(1), backlogLooks: looks, backlogUnreadyLooks: unready,
            backlogPeakMib: peak.rounded())
    }

    private func isReady(_ address: String) async throws -> Bool {
        try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "http://\(address)/health/ready"), timeout: .seconds(30)
        ).status == .ok
    }

    private func decided(_ address: String) async throws -> Int {
        try await ServiceCounters(addresses: ["aqua-rules": address]).decided()
    }
}
