import Glibc
import TestSupport

/// The outcome of a fault.
struct Infliction: Sendable {
    /// The start and end of the fault, on this machine's clock.
    var span: ClosedRange<Int>
    /// From a crash of the broker until it listened again, if it crashed.
    var brokerOutage: ClosedRange<Int>?
    var mischief = MischiefRecord()
    /// A copy that is still frozen when the system has recovered, and its twin.
    var stalled: (frozen: Supervisor.Copy, twin: Supervisor.Copy)?
    /// From the start of a machine's trouble until a reading measured afterwards was stored.
    var back: Duration?
}

extension ChaosStage {
    /// The reason why a fault cannot be injected here.
    func obstacle(to fault: Fault) -> String? {
        [.fullDisk, .fullLog].contains(fault) && disk == nil ? SmallDisk.obstacle : nil
    }

    /// Starts and ends a fault; returns when the load may end.
    func inflict(_ round: Round) async throws -> Infliction {
        if case .machine(let breakdown) = round.fault { return try await inflict(breakdown, round) }
        var generator = SeededGenerator(seed: round.seed)
        var mischief = MischiefRecord()
        var outage: ClosedRange<Int>?
        var back: Duration?
        let from = wallClock()
        var to: Int?
        var stalled: (frozen: Supervisor.Copy, twin: Supervisor.Copy)?
        /// Lets the load flow on after an instantaneous fault.
        func flowOn() async throws {
            to = wallClock()
            try await Task.sleep(for: round.length)
        }
        switch round.fault {
        case .kill(let program):
            let end = ContinuousClock.now + round.length
            repeat {
                services.signal(program, SIGKILL)
                to = wallClock()
                try await Task.sleep(for: .milliseconds(Int.random(in: 300...1200, using: &generator)))
            } while ContinuousClock.now < end
        case .restart(let program):
            services.signal(program, SIGTERM)
            try await flowOn()
        case .freeze(let program):
            services.signal(program, SIGSTOP)
            defer { services.signal(program, SIGCONT) }
            try await Task.sleep(for: round.length)
        case .twins(let program):
            try services.add(program)
            try await Task.sleep(for: round.length / 2)
            if let one = services.copies(of: program).randomElement(using: &generator) { services.remove(one) }
            to = wallClock()
            try await Task.sleep(for: round.length / 2)
        case .stall(let program):
            let twin = try services.add(program)
            try await Task.sleep(for: .seconds(1))
            guard let frozen = services.copies(of: program).first else { break }
            services.signal(frozen, SIGSTOP)
            stalled = (frozen, twin)
            try await flowOn()
        case .crashDatabase:
            try system.cluster.crash(.database)
            try await flowOn()
        case .killBackend:
            try await killBackend(&generator)
            try await flowOn()
        case .crashBroker:
            outage = try await crashBroker()
            try await flowOn()
        case .crashBrokerBehind:
            services.signal(.ingestor, SIGSTOP)
            defer { services.signal(.ingestor, SIGCONT) }
            try await Task.sleep(for: round.length)
            outage = try await crashBroker()
        case .restartBroker:
            try await system.cluster.halt(.broker)
            try await system.cluster.resume(.broker)
            try await flowOn()
        case .freezeBroker:
            try await system.cluster.whileBrokerIsFrozen { try await Task.sleep(for: round.length) }
        case .newBroker:
            (outage, back) = try await replaceBroker()
            try await flowOn()
        case .newBrokerBehind:
            (outage, back) = try await replaceBroker {
                services.signal(.ingestor, SIGSTOP)
            } thenWhileUnread: {
                defer { services.signal(.ingestor, SIGCONT) }
                try await Task.sleep(for: round.length)
            }
        case .connections(let link, let trouble):
            try await disturb(links[link], trouble, for: round.length, &generator)
        case .fullDisk:
            try await disk?.fill()
            defer { disk?.empty() }
            try await Task.sleep(for: round.length)
        case .fullLog:
            try await disk?.fill()
            defer { disk?.empty() }
            // Uses up the log files that PostgreSQL keeps for reuse; the server stops during the statement.
            _ = try? await system.database.sql(String(repeating: "SELECT pg_switch_wal(), txid_current();", count: 40))
            try await Task.sleep(for: round.length)
        case .poison:
            mischief = try await poison(round, &generator)
            try await flowOn()
        case .endpoint(let answer):
            try await disturb(answer, for: round.length)
        case .device(let kind):
            mischief = try await misbehave(kind, round, &generator)
            try await flowOn()
        case .machine: break  // handled above
        }
        return Infliction(
            span: from...(to ?? wallClock()), brokerOutage: outage, mischief: mischief, stalled: stalled,
            back: back)
    }

    /// - Returns: From the crash until the broker listened again.
    private func crashBroker() async throws -> ClosedRange<Int> {
        let from = wallClock()
        let before = try system.cluster.crash(.broker)
        try await awaitFact("the broker after its crash") {
            try system.cluster.isBack(.broker, after: before) ? true : nil
        }
        return from...wallClock()
    }

    /// - Parameters:
    ///   - onHalt: Called when the former broker has stopped.
    ///   - thenWhileUnread: Called when the new broker serves devices.
    /// - Returns: From the end of the former broker until the new one listened, and until a reading measured after that
    ///   end was stored.
    private func replaceBroker(
        _ onHalt: () throws -> Void = {}, thenWhileUnread: () async throws -> Void = {}
    ) async throws -> (outage: ClosedRange<Int>, back: Duration) {
        let broker = system.cluster.broker
        let accounts = try await system.tool(["broker", "refill", "--offline"])
        let (from, start) = (wallClock(), ContinuousClock.now)
        try await broker.halt()
        try onHalt()
        try broker.loseData(keepsAccounts: false)
        try await broker.prepare(accounts: accounts)
        try await broker.resume()
        let to = wallClock()
        try await thenWhileUnread()
        _ = try await untilStored()
        return (from...to, .now - start)
    }

    private func killBackend(_ generator: inout SeededGenerator) async throws {
        let backends = try await system.database.sql(
            "SELECT pid FROM pg_stat_activity WHERE usename LIKE 'aqua\\_%' ORDER BY pid"
        ).split(separator: "\n").compactMap { pid_t($0) }
        guard let backend = backends.randomElement(using: &generator) else {
            throw TestSupportError("No service is connected to the database")
        }
        kill(backend, SIGKILL)
    }

    private func disturb(
        _ link: FaultyLink, _ trouble: Fault.Trouble, for length: Duration, _ generator: inout SeededGenerator
    ) async throws {
        switch trouble {
        case .cut:
            link.set(.refuse)
            link.reset()
        case .delay: link.set(.delay(.milliseconds(Int.random(in: 50...400, using: &generator))))
        case .halfClose: link.halfClose(towardsServer: Bool.random(using: &generator))
        case .blackHole: link.set(.blackHole)
        }
        defer {
            link.set(.pass)
            if trouble == .blackHole { link.reset() }
        }
        try await Task.sleep(for: length)
    }

    private func disturb(_ answer: Fault.Answer, for length: Duration) async throws {
        // The second of two endpoints answers 410: a person whose only endpoint is gone would rightly get nothing.
        guard let sink = sinks[answer == .gone ? .second : .first] else { return }
        sink.answer(then: answer.answer)
        do {
            defer { sink.answer(then: .status(200)) }
            try await Task.sleep(for: length)
        }
        guard answer == .gone else { return }
        try await addAgain(.second)
    }
}

extension Fault.Answer {
    fileprivate var answer: WebhookSink.Answer {
        switch self {
        case .tooMany: .status(429, retryAfter: "2")
        case .unavailable: .status(503)
        case .gone: .status(410)
        case .hang: .hang
        case .drop: .close
        }
    }
}
