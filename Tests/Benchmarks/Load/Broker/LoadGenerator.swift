import Foundation
import Instants
import ServiceKit
import Synchronization
import TestSupport
import WaterQuality

/// Publishes for a fleet over real MQTT with QoS 1, from one thread.
final class LoadGenerator: Sendable {
    /// The pace of publishing.
    struct Pace: Sendable {
        /// Messages a second; nil for as many as `ceiling` and the broker permit.
        var rate: Double?
        /// The number of messages from each device; nil for no limit.
        var rounds: Int?
        /// Whether every message is a breach.
        var isStorm = false
    }

    /// The numbers of published and of acknowledged messages.
    let published = Atomic(0)
    let acknowledged = Atomic(0)
    /// The maximum number of messages in all.
    let ceiling = Atomic(0)
    /// The processor time of the generator's thread.
    let cpuNanoseconds = Atomic<Int64>(0)
    let breaches: ArrivalBook
    private let bounds: FleetShape.Bounds

    private struct Schedule {
        var pace = Pace()
        /// The number of paces set so far.
        var number = 0
        var since = ContinuousClock.now
        /// The number of messages published when the pace was set.
        var base = 0

        /// The number of messages that should have been published by now.
        var due: Int {
            guard let rate = pace.rate else { return .max }
            return base + Int((ContinuousClock.now - since) / .seconds(1) * rate)
        }
    }

    private let schedule = Mutex(Schedule())
    private let isStopping = Atomic(false)

    private init(_ breaches: ArrivalBook, _ bounds: FleetShape.Bounds) {
        self.breaches = breaches
        self.bounds = bounds
    }

    /// Connects, and publishes at the set pace while `body` runs.
    static func with<Result: Sendable>(
        _ fleet: ConnectedFleet, plan: BreachPlan, seed: UInt64, breaches: ArrivalBook,
        _ body: @Sendable @escaping (LoadGenerator) async throws -> Result
    ) async throws -> Result {
        let generator = LoadGenerator(breaches, fleet.shape.bounds)
        let texts = ReadingsTexts(seed: seed)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await generator.onOwnThread {
                    try fleet.members.enumerated().map { number, member in
                        try GeneratorLine(
                            socket: fleet.connect(member),
                            traffic: Traffic(
                                devices: member.devices, plan: plan, texts: texts, seed: seed &+ UInt64(number)))
                    }
                }
                return nil
            }
            group.addTask {
                defer { generator.isStopping.store(true, ordering: .releasing) }
                return try await body(generator)
            }
            var result: Result?
            while let next = try await group.next() { result = next ?? result }
            guard let result else { throw TestSupportError("The load generator has ended") }
            return result
        }
    }

    /// Sets another pace.
    func publish(_ pace: Pace) {
        schedule.withLock {
            $0 = Schedule(pace: pace, number: $0.number + 1, base: published.load(ordering: .acquiring))
            ceiling.store(.max, ordering: .releasing)
        }
    }

    func pause() { ceiling.store(0, ordering: .releasing) }

    /// The number of messages that should have been published by now.
    var due: Int { schedule.withLock { $0.due } }

    private func onOwnThread(_ connect: @Sendable @escaping () throws -> [GeneratorLine]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Swift.Result { try self.run(connect()) })
            }
        }
    }

    private func run(_ connected: [GeneratorLine]) throws {
        var lines = connected
        let answers = try ReadySockets(lines.map(\.socket.descriptor))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var paceNumber = 0
        var next = 0
        /// Lines whose socket accepted no more bytes.
        var blocked: Set<Int> = []
        var isIdle = false
        while !isStopping.load(ordering: .acquiring) {
            // Reads both values together: the ceiling of a pace applies to lines that have begun it.
            let (now, most) = schedule.withLock { ($0, ceiling.load(ordering: .acquiring)) }
            if now.number != paceNumber {
                for index in lines.indices { lines[index].begin(now.pace) }
                paceNumber = now.number
            }
            try answers.forEach(within: isIdle ? 1 : 0) {
                try lines[$0].readAcknowledgements(buffer, into: acknowledged)
            }
            for index in blocked {
                try lines[index].socket.flush()
                if !lines[index].socket.hasOutgoing { blocked.remove(index) }
            }
            isIdle = try !send(upTo: min(now.due, most), &lines, &next, &blocked, isStorm: now.pace.isStorm)
            cpuNanoseconds.store(Int64(ThreadClock.now / .nanoseconds(1)), ordering: .relaxed)
        }
    }

    /// Visits each line once at most.
    /// - Returns: Whether any message was due and could leave.
    private func send(
        upTo total: Int, _ lines: inout [GeneratorLine], _ next: inout Int, _ blocked: inout Set<Int>, isStorm: Bool
    ) throws -> Bool {
        var permitted = total - published.load(ordering: .relaxed)
        var didSomething = false
        for _ in lines.indices where permitted > 0 {
            let index = next
            next = next + 1 == lines.count ? 0 : next + 1
            let number = min(permitted, lines[index].room(bounds))
            guard number > 0 else { continue }
            let now = Timestamp(microseconds: WallClock.system.now().microseconds / 1_000 * 1_000)
            try lines[index].publish(number, at: now, isStorm: isStorm, breaches)
            if lines[index].socket.hasOutgoing { blocked.insert(index) }
            published.add(number, ordering: .releasing)
            permitted -= number
            didSomething = true
        }
        return didSomething
    }
}
