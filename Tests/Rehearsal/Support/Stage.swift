import Foundation
import MQTT
import MQTTFleet
import Operator
import Secrets
import Synchronization
import TestSupport
import WaterQuality

@testable import Rehearsal

/// A broker, devices that exist on it, and the tool's settings to act as them.
struct Stage: Sendable {
    /// The servers; nil for commands that need none.
    private let cluster: TestCluster?
    let directory: URL
    let lines: Collected
    private static let master = String(repeating: "5a", count: 32)

    static func with<Result>(
        _ cluster: TestCluster, devices: [String] = [], _ body: (Stage) async throws -> Result
    ) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            let stage = Stage(cluster: cluster, directory: directory, lines: Collected())
            _ = try stage.write("device-key", master)
            for device in devices { try await cluster.broker.addDevice(device, password: password(device)) }
            return try await body(stage)
        }
    }

    static func withoutServers<Result>(_ body: (Stage) async throws -> Result) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            try await body(Stage(cluster: nil, directory: directory, lines: Collected()))
        }
    }

    private init(cluster: TestCluster?, directory: URL, lines: Collected) {
        self.cluster = cluster
        self.directory = directory
        self.lines = lines
    }

    func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
        let file = directory.appending(path: name).path(percentEncoded: false)
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        else { throw TestSupportError("\(file) cannot be written") }
        return file
    }

    private var port: UInt16 { UInt16(cluster?.broker.port ?? 0) }

    var context: OperatorContext {
        OperatorContext(
            environment: [
                "AQUA_MQTT_URL": "mqtt://127.0.0.1:\(port)",
                "AQUA_DEVICE_KEY_FILE": directory.appending(path: "device-key").path(percentEncoded: false),
            ], console: lines.console)
    }

    /// Runs `body` with each device's messages as a durable subscriber gets them, without losses.
    func listening<Result: Sendable>(
        to devices: [String], _ subtopic: String, retained: Bool = false,
        _ body: @escaping @Sendable ([Heard]) async throws -> Result
    ) async throws -> Result {
        try await MQTTFleet.with { fleet in
            var heard: [Heard] = []
            for device in devices {
                let client = try await fleet.add(configuration(), buffer: 200_000)
                try await fleet.subscribe(
                    [.init("aqua/v1/\(device)/\(subtopic)", retainHandling: retained ? .sendAtSubscribe : .never)],
                    as: client)
                heard.append(Heard(client.messages))
            }
            let all = heard
            return try await withDeadline(.seconds(90), "what the devices should say") {
                try await body(all)
            } progress: {
                all.reduce(0) { $0 + $1.count }
            }
        }
    }

    private func configuration() throws -> MQTTConfiguration {
        guard let broker = cluster?.broker else { throw TestSupportError("this stage has no broker") }
        return MQTTConfiguration(
            endpoint: MQTTEndpoint(host: "127.0.0.1", port: port),
            clientID: "observer-\(UUID().uuidString)",
            credentials: MQTTCredentials(
                user: TestBroker.ingestor, password: try broker.password(TestBroker.ingestor)),
            cleanStart: false, sessionExpiry: 3600)
    }

    /// The first password that `aqua device add` gives a device: an HMAC of id and generation.
    private static func password(_ device: String) -> String {
        DeviceKeys([master])?.password(hardwareID: device, generation: 1) ?? ""
    }
}

/// The messages that one client receives, in order.
actor Heard {
    private(set) var payloads: [String] = []
    private nonisolated let messages = Atomic(0)
    private var iterator: AsyncStream<MQTTMessage>.AsyncIterator

    init(_ messages: AsyncStream<MQTTMessage>) { iterator = messages.makeAsyncIterator() }

    /// The number of messages, repetitions included.
    nonisolated var count: Int { messages.load(ordering: .relaxed) }

    /// The payloads without repetitions, up to the first at which the condition holds for all so far.
    @discardableResult
    func upTo(_ isLast: @Sendable ([String]) -> Bool) async -> [String] {
        var seen = Set(payloads)
        while !isLast(payloads), let message = await next() {
            let payload = String(decoding: message.payload, as: UTF8.self)
            messages.add(1, ordering: .relaxed)
            if seen.insert(payload).inserted { payloads.append(payload) }
        }
        return payloads
    }

    @discardableResult
    func upTo(count: Int) async -> [String] { await upTo { $0.count >= count } }

    private func next() async -> MQTTMessage? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return await iterator.next(isolation: self)
    }
}

/// A command's output, and a console that collects it.
final class Collected: Sendable {
    private struct State {
        var output: [String] = []
        var complaints: [String] = []
    }
    private let state = Mutex(State())

    var output: [String] { state.withLock { $0.output } }
    var complaints: [String] { state.withLock { $0.complaints } }

    var console: Console {
        Console(
            output: { text in self.state.withLock { $0.output.append(String(text.dropLast())) } },
            complaints: { text in self.state.withLock { $0.complaints.append(String(text.dropLast())) } },
            passwords: { _ in nil })
    }
}

/// An event that a test signals once and any number of tasks await.
final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Also returns when the task is cancelled.
    var stop: Stop {
        {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isGiven = self.state.withLock { state in
                        if !state.isGiven { state.waiting.append(continuation) }
                        return state.isGiven
                    }
                    if isGiven { continuation.resume() }
                }
            } onCancel: {
                self.give()
            }
        }
    }
}
