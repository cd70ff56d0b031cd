import ArgumentParser
import Foundation
import Operator
import TestSupport
import Testing
import WaterQuality

@testable import Rehearsal

@Suite("aqua-rehearsal simulate")
struct SimulateTests {
    private static let fast = ["--interval", "1s", "--speed", "20", "--json"]

    @Test("Every device publishes all its parameters in order, and the count is exact")
    func simulates() async throws {
        let devices = ["simulated-1", "simulated-2", "simulated-3"]
        try await Stage.with(try await .shared, devices: devices) { stage in
            try await stage.listening(to: devices, "readings") { heard in
                let counts = try await Self.simulate(devices, on: stage) {
                    for one in heard { _ = await one.upTo(count: 5) }
                }
                #expect(counts["devices"] == 3 && counts["reconnects"] == 0)
                #expect(counts["acknowledged"] == counts["messages"])
                let payloads = try await Self.everything(heard, count: counts["messages"] ?? 0)
                for payload in payloads {
                    for parameter in Parameter.ofManual { #expect(payload.contains("\"\(parameter.name)\":")) }
                }
            }
        }
    }

    @Test("A restart of the broker loses nothing; the devices reconnect and publish that they are online")
    func restart() async throws {
        let devices = ["simulated-1", "simulated-2"]
        try await TestCluster.with { cluster in
            try await Stage.with(cluster, devices: devices) { stage in
                try await stage.listening(to: devices, "readings") { heard in
                    let counts = try await Self.simulate(devices, on: stage) {
                        for one in heard { _ = await one.upTo(count: 5) }
                        try await cluster.halt(.broker)
                        try await cluster.resume(.broker)
                        for one in heard { _ = await one.upTo(count: await one.payloads.count + 10) }
                        try await stage.listening(to: devices, "status", retained: true) { status in
                            for one in status { _ = await one.upTo { $0.last == "online" } }
                        }
                    }
                    #expect(counts["reconnects"] == 2)
                    #expect(counts["acknowledged"] == counts["messages"])
                    _ = try await Self.everything(heard, count: counts["messages"] ?? 0)
                }
            }
        }
    }

    @Test("The retained status is online while a device runs and offline after it")
    func status() async throws {
        try await Stage.with(try await .shared, devices: ["simulated-status"]) { stage in
            _ = try await Self.simulate(["simulated-status"], on: stage) {
                try await stage.listening(to: ["simulated-status"], "status", retained: true) { heard in
                    _ = await heard[0].upTo { $0.last == "online" }
                }
            }
            try await stage.listening(to: ["simulated-status"], "status", retained: true) { heard in
                #expect(await heard[0].upTo(count: 1) == ["offline"])
            }
        }
    }

    @Test("An unknown device is refused with the command that adds it")
    func unknown() async throws {
        try await Stage.with(try await .shared) { stage in
            let error = await #expect(throws: OperatorError.self) {
                try await Simulate.parse(["--devices", "2"]).run(in: stage.context, until: Signal().stop)
            }
            #expect(error?.description.contains("run: aqua device add sim-0001\n") == true)
        }
    }

    /// Runs a simulation as long as `body`.
    /// - Returns: The numbers of the last line.
    private static func simulate(
        _ devices: [String], on stage: Stage, _ body: () async throws -> Void
    ) async throws -> [String: Int] {
        let stop = Signal()
        let arguments = devices.flatMap { ["--device", $0] } + fast
        async let simulated: Void = Simulate.parse(arguments).run(in: stage.context, until: stop.stop)
        try await body()
        stop.give()
        try await simulated
        return try JSONDecoder().decode([String: Int].self, from: Data(#require(stage.lines.output.last).utf8))
    }

    /// All messages of all devices, once there are this many.
    private static func everything(_ heard: [Heard], count: Int) async throws -> [String] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The last acknowledged messages may still be on their way here.
            for one in heard { group.addTask { await one.upTo { _ in false } } }
            try await awaitAnswer("message \(count)") {
                var sum = 0
                for one in heard { sum += await one.payloads.count }
                return sum
            } where: {
                $0 >= count
            }
            group.cancelAll()
        }
        var all: [String] = []
        for one in heard {
            let payloads = await one.payloads
            let times = payloads.compactMap { $0.firstMatch(of: /"time":"([^"]+)"/)?.output.1 }
            #expect(times.count == payloads.count && times == times.sorted())
            all += payloads
        }
        #expect(all.count == count)
        return all
    }
}
