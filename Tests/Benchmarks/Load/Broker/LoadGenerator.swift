import Foundation
import Glibc
import ServiceKit
import Synchronization
import TestSupport
import WaterQuality

/// Publishes for a whole fleet over real MQTT with QoS 1, from one thread and a few connections.
///
/// A fleet has a connection for each device; one machine that also runs the system cannot. What the broker does for a
/// message is the same.
final class LoadGenerator: Sendable {
    /// How fast to publish.
    struct Pace: Sendable {
        /// Messages a second; nil: as fast as `ceiling` and the broker permit.
        var rate: Double?
        /// How many messages of each device; nil: as many as it takes.
        var rounds: Int?
        /// Every message is a breach.
        var isStorm = false
    }

    static let connections = 16
    /// How many messages of a connection may wait for their PUBACK.
    private static let inFlight = 1_000
    /// How many messages of one connection leave together.
    private static let burst = 8

    /// Messages handed to the broker, and those that it acknowledged.
    let published = Atomic(0)
    let acknowledged = Atomic(0)
    /// Not more than so many are published in all.
    let ceiling = Atomic(0)
    /// The processor time of its thread.
    let cpuNanoseconds = Atomic<Int64>(0)
    let breaches: ArrivalBook

    private struct Schedule {
        var pace = Pace()
        /// Counts the paces that were set.
        var number = 0
        var since = ContinuousClock.now
        /// What had been published when the pace was set.
        var base = 0
    }

    private let schedule = Mutex(Schedule())
    private let isStopping = Atomic(false)

    private init(_ breaches: ArrivalBook) { self.breaches = breaches }

    /// Connects and publishes as it is told while `body` runs.
    static func with<Result: Sendable>(
        _ broker: TestBroker, user: String, password: String, fleet: Fleet, breachShare: Double, seed: UInt64,
        breaches: ArrivalBook,
        _ body: @Sendable @escaping (LoadGenerator) async throws -> Result
    ) async throws -> Result {
        let generator = LoadGenerator(breaches)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await generator.onOwnThread {
                    try (0..<connections).map { number in
                        try Line(
                            socket: BrokerSocket(
                                port: broker.port, clientID: "\(user)-\(number)", user: user, password: password),
                            traffic: Traffic(
                                devices: Array(stride(from: number, to: fleet.devices, by: connections)),
                                breachShare: breachShare, seed: seed &+ UInt64(number)))
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

    /// Publishes at another pace from now on.
    func publish(_ pace: Pace) {
        schedule.withLock {
            $0 = Schedule(pace: pace, number: $0.number + 1, base: published.load(ordering: .acquiring))
            ceiling.store(.max, ordering: .releasing)
        }
    }

    func pause() { ceiling.store(0, ordering: .releasing) }

    /// How many messages should have been published since the pace was set.
    var due: Int {
        schedule.withLock { schedule in
            guard let rate = schedule.pace.rate else { return .max }
            return schedule.base + Int((ContinuousClock.now - schedule.since) / .seconds(1) * rate)
        }
    }

    private func onOwnThread(_ connect: @Sendable @escaping () throws -> [Line]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Swift.Result { try self.run(connect()) })
            }
        }
    }

    private func run(_ connected: [Line]) throws {
        var lines = connected
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while !isStopping.load(ordering: .acquiring) {
            var didSomething = false
            let (pace, number) = schedule.withLock { ($0.pace, $0.number) }
            for index in lines.indices {
                lines[index].begin(pace, number: number)
                try lines[index].readAcknowledgements(buffer, into: acknowledged)
                if try send(on: &lines[index], isStorm: pace.isStorm) { didSomething = true }
            }
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            cpuNanoseconds.store(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), ordering: .relaxed)
            if !didSomething { usleep(500) }
        }
    }

    /// - Returns: Whether anything was due and there was room for it.
    private func send(on line: inout Line, isStorm: Bool) throws -> Bool {
        try line.socket.flush()
        let count = published.load(ordering: .relaxed)
        let permitted = min(due, ceiling.load(ordering: .acquiring)) - count
        let number = min(permitted, Self.burst, Self.inFlight - line.unacknowledged, line.quota)
        guard number > 0, !line.socket.hasOutgoing else { return false }
        let now = Timestamp(microseconds: WallClock.system.now() / 1_000 * 1_000)
        for _ in 0..<number {
            if let device = line.publishNext(at: now, isBreach: isStorm) { breaches.published(device) }
        }
        line.unacknowledged += number
        line.quota -= number
        published.add(number, ordering: .releasing)
        try line.socket.flush()
        return true
    }
}

/// One connection of the generator.
private struct Line {
    let socket: BrokerSocket
    private var traffic: Traffic
    private var paceNumber = 0
    /// How many messages may still go out at the present pace.
    var quota = Int.max
    var unacknowledged = 0
    private var packetID: UInt16 = 0
    /// Of a PUBACK that was cut by the end of a read.
    private var partial = 0

    init(socket: BrokerSocket, traffic: Traffic) {
        self.socket = socket
        self.traffic = traffic
    }

    mutating func begin(_ pace: LoadGenerator.Pace, number: Int) {
        guard number != paceNumber else { return }
        paceNumber = number
        quota = pace.rounds.map { $0 * traffic.devices.count } ?? .max
    }

    /// - Returns: The device's number if its water is too warm now.
    mutating func publishNext(at time: Timestamp, isBreach: Bool) -> Int? {
        packetID = packetID == .max ? 1 : packetID + 1
        return socket.compose {
            traffic.appendPublish(to: &$0, packetID: packetID, at: time, isBreach: isBreach)
        }
    }

    /// The broker sends nothing but PUBACKs, four bytes each.
    mutating func readAcknowledgements(
        _ buffer: UnsafeMutableRawBufferPointer, into total: borrowing Atomic<Int>
    ) throws {
        while true {
            let count = try socket.read(into: buffer, at: 0)
            guard count > 0 else { return }
            if partial == 0, buffer[0] != MQTTWire.puback {
                throw TestSupportError("The broker sends something else than a PUBACK: \(buffer[0])")
            }
            let acknowledgements = (partial + count) / 4
            partial = (partial + count) % 4
            unacknowledged -= acknowledgements
            total.add(acknowledgements, ordering: .relaxed)
            if count < buffer.count { return }
        }
    }
}
