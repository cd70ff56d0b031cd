import Foundation
import Instants
import Postgres
import ServiceKit
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// A suspected spike is held for one reading, across claims, engines and stored state. The default maximum of
/// temperature is 24.
struct HoldTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400), holdWithin: .seconds(300))
    /// A time before the tests began, which is past by any clock.
    private static let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(3_600)

    private static func at(_ second: Int) -> Timestamp { start + .seconds(second) }

    @Test func theOperatorSaysAfterWhichPauseNothingIsHeld() throws {
        func hold(_ text: String?) throws -> Duration {
            var environment = ["AQUA_DATABASE_URL": "postgresql://aqua_rules@localhost/aqua"]
            environment["AQUA_HOLD"] = text
            let file = "\(NSTemporaryDirectory())/hold-\(UInt64.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let password = Data(String(repeating: "s", count: 32).utf8)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            #expect(FileManager.default.createFile(atPath: file, contents: password, attributes: attributes))
            environment["AQUA_DATABASE_PASSWORD_FILE"] = file
            return try Configuration.read(from: environment) { RulesConfiguration(reader: $0) }.policy.holdWithin
        }
        #expect(try hold(nil) == .seconds(300))
        #expect(try hold("0s") == .zero)
        #expect(throws: ConfigurationFaults.self) { try hold("61m") }
    }

    /// A different engine decides on each reading: it reads the last value from the samples.
    @Test(arguments: [true, false]) func theNextReadingConfirmsItWhicheverEngineDecides(isAlone: Bool) async throws {
        try await EngineFixture.with { fixture in
            let memories = isAlone ? [SharedMemory()] : [SharedMemory(), SharedMemory(), SharedMemory()]
            for (index, value) in ([23, 27, 27.5] as [Float]).enumerated() {
                let now = Self.at(30 * index + 1)
                try await fixture.hand([.temperature: value, .ph: 8], at: Self.at(30 * index), receivedAt: now)
                try await fixture.claim(memories[index % memories.count], Self.policy)
                let told = try await fixture.sql("SELECT count(*) FROM alert")
                #expect(told == (index == 2 ? "1" : "0"), "reading \(index)")
            }
            #expect(try await fixture.sql("SELECT reason, notification, value FROM transition") == "opened|held|27")
            let told = "SELECT purpose, value, opened_at = '\(Self.at(30).iso8601)' FROM alert"
            #expect(try await fixture.sql(told) == "alarm|27.5|t")
        }
    }

    @Test(arguments: [true, false]) func aGlitchIsToldToNobody(inOneClaim: Bool) async throws {
        try await EngineFixture.with { fixture in
            let messages = [23, 84, 23, 23.1].enumerated().map {
                ([Parameter.temperature: Float($1)], Self.at(30 * $0))
            }
            if inOneClaim {
                try await fixture.hand(messages, receivedAt: Self.at(120))
                try await fixture.claim(SharedMemory(), Self.policy)
            } else {
                for message in messages {
                    try await fixture.hand([message], receivedAt: message.1 + .seconds(1))
                    try await fixture.claim(SharedMemory(), Self.policy)
                }
            }
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0")
            #expect(
                try await fixture.sql("SELECT reason, notification FROM transition ORDER BY transition_id")
                    == "opened|held\nrecovered|none")
            // The end of the held episode is not announced.
            _ = try await fixture.sql("UPDATE episode SET recovery_due_at = now() - interval '1 hour'")
            let sweep = try await fixture.owner.transaction {
                try RecoverySweep(policy: Self.policy).perform($0, now: .now)
            }
            #expect(sweep.taken == 1 && sweep.notices.isEmpty)
        }
    }

    /// Alternating values are believed, and a jump into range ends nothing, whichever engine decides on which reading.
    @Test(arguments: [true, false]) func whatAlternatesIsToldWhicheverEngineDecides(isAlone: Bool) async throws {
        try await EngineFixture.with { fixture in
            let memories = isAlone ? [SharedMemory()] : [SharedMemory(), SharedMemory(), SharedMemory()]
            for (index, value) in ([23, 27, 23, 23, 27, 27, 23, 27, 23, 23] as [Float]).enumerated() {
                let now = Self.at(30 * index + 1)
                try await fixture.hand([.temperature: value, .ph: 8], at: Self.at(30 * index), receivedAt: now)
                try await fixture.claim(memories[index % memories.count], Self.policy)
                let found = try await fixture.sql(
                    "SELECT (SELECT count(*) FROM alert), count(*), count(closed_at) FROM episode")
                let due = ["0|0|0", "0|1|0", "0|1|0", "0|1|1", "1|2|1", "1|2|1", "1|2|1", "1|2|1", "1|2|1", "1|2|2"]
                #expect(found == due[index], "reading \(index)")
            }
        }
    }

    /// A device that sends each quarter of an hour, one that was linked just now, and an operator who has switched
    /// holding off.
    @Test func whereNothingIsHeldItAlarmsAtOnce() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.hand([.temperature: 23], at: Self.at(0), receivedAt: Self.at(1))
            try await fixture.claim(SharedMemory(), Self.policy)
            try await fixture.hand([.temperature: 27], at: Self.at(900), receivedAt: Self.at(901))
            try await fixture.claim(SharedMemory(), Self.policy)
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "1")
            for (number, policy) in [(2, Self.policy), (3, AlertPolicy(staleAfter: .seconds(86_400)))] {
                let device = try await EngineFixture.link("tank-\(number)", to: fixture.account, fixture.owner)
                if number == 3 {
                    try await fixture.hand([.temperature: 23], at: Self.at(0), receivedAt: Self.at(1), of: device)
                    try await fixture.claim(SharedMemory(), policy)
                }
                try await fixture.hand([.temperature: 27], at: Self.at(30), receivedAt: Self.at(31), of: device)
                try await fixture.claim(SharedMemory(), policy)
                #expect(try await fixture.sql("SELECT count(*) FROM alert") == "\(number)", "tank-\(number)")
            }
        }
    }

    /// A late or repeated reading is no neighbour of a value.
    @Test func aLateReadingConfirmsNothing() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 23], at: Self.at(0), receivedAt: Self.at(1))
            try await fixture.hand([.temperature: 27], at: Self.at(60), receivedAt: Self.at(61))
            try await fixture.claim(memory, Self.policy)
            for engine in [memory, SharedMemory()] {
                // The first of these was handed over already, and the second was measured before it.
                try await fixture.hand(
                    [([.temperature: 27], Self.at(60)), ([.temperature: 28], Self.at(30))], receivedAt: Self.at(90))
                try await fixture.claim(engine, Self.policy)
                #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0")
            }
            try await fixture.hand([.temperature: 26], at: Self.at(90), receivedAt: Self.at(91))
            try await fixture.claim(memory, Self.policy)
            #expect(try await fixture.sql("SELECT value, worst FROM alert") == "26|27")
        }
    }

    /// Equal readings give equal decisions, however they are divided into batches and whichever engine decides.
    @Test(arguments: [1, 2, 3, 4]) func batchesAndEnginesMakeNoDifference(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var (time, value) = (Self.start, Float(23))
        let messages: [([Parameter: Float], Timestamp)] = (0..<60).map { _ in
            let kind = Int.random(in: 0..<20, using: &random)
            guard kind > 0 else { return ([.temperature: 30], time - .seconds(15)) }
            time = time + .seconds(kind == 1 ? 310 : 30)
            value = min(26, max(20, value + Float.random(in: -0.7...0.7, using: &random)))
            let isGlitch = Int.random(in: 0..<6, using: &random) == 0
            // Not every message has each parameter.
            return Bool.random(using: &random)
                ? ([.temperature: isGlitch ? 40 : value, .ph: isGlitch ? 9 : 8], time)
                : ([.temperature: value], time)
        }
        func outcome(_ cuts: [Int], engines: Int) async throws -> String {
            let found = Mutex("")
            try await EngineFixture.with { fixture in
                let memories = (0..<engines).map { _ in SharedMemory() }
                for (turn, (from, to)) in zip([0] + cuts, cuts + [messages.count]).enumerated() {
                    let newest = messages[..<to].map(\.1).max() ?? Self.start
                    try await fixture.hand(
                        Array(messages[from..<to]), receivedAt: newest + .seconds(1) + .milliseconds(turn))
                    try await fixture.claim(memories[turn % engines], Self.policy)
                }
                let stored = try await fixture.sql(
                    """
                    SELECT 'transition', reason, notification, event_time, value FROM transition
                    UNION ALL SELECT 'alert', purpose, parameter::text, opened_at, limit_value FROM alert
                    ORDER BY 1, 4, 2, 3
                    """)
                found.withLock { $0 = stored }
            }
            return found.withLock { $0 }
        }
        let whole = try await outcome([], engines: 1)
        #expect(whole.contains("|held|") && whole.contains("alert|alarm|0|"), "the run says something")
        let cuts = (1..<messages.count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        #expect(try await outcome(cuts, engines: 1) == whole)
        #expect(try await outcome(cuts, engines: 3) == whole)
    }
}
