import Instants
import Postgres
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Several people with one device: every rule applies to each of them separately.
struct WatchersTests {
    /// The people of a property run. Each has a part in the common device and, for comparison, a device of their own
    /// that gets the common one's readings while they have that.
    private struct Someone {
        let account: Account.ID
        let alone: DeviceKey
        let limits: Limits
        var joinedAt: Timestamp?
    }

    fileprivate struct Limits {
        var minimum: Int
        var maximum: Int
        var phMaximum: Int
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func decisionsAreThoseOfEachAlone(_ seed: UInt64) async throws {
        try await EngineFixture.with { fixture in
            var generator = SeededGenerator(seed: seed)
            let policy = AlertPolicy(throttle: .seconds(90), recoveryDelay: .seconds(5))
            // Two engines take turns, so that each finds its memory outdated.
            let memories = [SharedMemory(), SharedMemory()]
            var people: [Someone] = []
            for number in 0..<5 {
                let account = number == 0 ? fixture.account : try await fixture.addPerson("person-\(number)")
                if number == 2 { try await fixture.setThrottle(account, seconds: 200) }
                people.append(
                    Someone(
                        account: account,
                        alone: try await EngineFixture.link("alone-\(number)", to: account, fixture.owner),
                        limits: Limits(
                            minimum: .random(in: 100...180, using: &generator),
                            maximum: .random(in: 190...260, using: &generator),
                            phMaximum: .random(in: 78...90, using: &generator))))
            }
            var clock = Timestamp.now - .seconds(50 * 60)
            try await fixture.begin(people[0].alone, of: people[0].account, at: clock)
            try await fixture.begin(fixture.device, of: people[0].account, at: clock)
            people[0].joinedAt = clock
            for device in [fixture.device, people[0].alone] {
                try await fixture.limit(device, people[0].account, people[0].limits)
            }
            for person in people.dropFirst() {
                try await fixture.end(person.alone, of: person.account, at: clock)
            }

            for _ in 0..<110 {
                clock = clock + .seconds(.random(in: 5...40, using: &generator))
                let index = Int.random(in: 1..<people.count, using: &generator)
                let person = people[index]
                switch (Int.random(in: 0..<10, using: &generator), person.joinedAt) {
                case (0...1, nil):
                    try await fixture.join(person.account)
                    try await fixture.begin(fixture.device, of: person.account, at: clock)
                    try await fixture.linkAgain(person.alone, to: person.account)
                    try await fixture.begin(person.alone, of: person.account, at: clock)
                    for device in [fixture.device, person.alone] {
                        try await fixture.limit(device, person.account, person.limits)
                    }
                    people[index].joinedAt = clock
                case (0, .some):
                    try await fixture.end(fixture.device, of: person.account, at: clock)
                    try await fixture.end(person.alone, of: person.account, at: clock)
                    people[index].joinedAt = nil
                default:
                    // Some readings come late, perhaps from before a person joined.
                    let late = Int.random(in: 0..<8, using: &generator) == 0
                    let time = late ? clock - .seconds(.random(in: 1...90, using: &generator)) : clock
                    let values: [Parameter: Float] = [
                        .temperature: Float(Int.random(in: 80...280, using: &generator)) / 10,
                        .ph: Float(Int.random(in: 70...95, using: &generator)) / 10,
                    ]
                    try await fixture.hand(values, at: time, receivedAt: clock)
                    for person in people {
                        guard let joinedAt = person.joinedAt, time >= joinedAt else { continue }
                        try await fixture.hand(values, at: time, receivedAt: clock, of: person.alone)
                    }
                    try await fixture.claim(memories.randomElement(using: &generator)!, policy)
                }
            }
            let decided = try await fixture.sql(EngineFixture.decided(on: "tank-1"))
            let alone = try await fixture.sql(EngineFixture.decided(on: "alone-"))
            #expect(decided == alone)
            let counts = try await fixture.sql(
                "SELECT count(DISTINCT account_id) >= 3, count(*) > 20, bool_or(closed_because = 'unlinked') FROM episode"
            )
            #expect(counts == "t|t|t", "the run says something")
            #expect(try await fixture.sql("SELECT count(*) > 10 FROM alert") == "t")
        }
    }

    /// Even for readings that they may see.
    @Test(arguments: DeviceInvitation.Readings.allCases)
    func aWatcherIsToldOfNothingFromBeforeJoining(_ readings: DeviceInvitation.Readings) async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 20, .ph: 9], at: .now - .seconds(60))
            try await fixture.claim(memory)
            let before = Timestamp.now
            try await fixture.join(lee, readings: readings)
            let sees = "SELECT readings_from < linked_at - interval '30 s' FROM ownership WHERE role = 'watcher'"
            #expect(try await fixture.sql(sees) == (readings == .sinceAlarm ? "t" : "f"))
            try await fixture.hand([.temperature: 26], at: before - .seconds(1))
            try await fixture.claim(memory)
            #expect(
                try await fixture.sql("SELECT account_id FROM episode WHERE parameter = 0")
                    == "\(fixture.account.rawValue)", "the owner's, and not the watcher's")
            try await fixture.hand([.temperature: 26], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.sql("SELECT count(*) FROM episode WHERE parameter = 0") == "2")
            #expect(try await fixture.sql("SELECT count(*) FROM alert WHERE account_id = \(lee.rawValue)") == "1")
        }
    }

    /// The end of a watcher's earlier part does not end anything for the owner.
    @Test func aWatcherWhoLeftBoundsNobodyElse() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            let before = Timestamp.now - .seconds(5)
            #expect(
                try await fixture.owner.execute(EndWatching(device: fixture.device, account: lee)) == [true])
            try await fixture.hand([.temperature: 26], at: before)
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.sql("SELECT account_id FROM alert") == "\(fixture.account.rawValue)")
        }
    }

    /// Joining, limits and leaving count from the next decision on, even for an engine that remembers the device.
    @Test func anEngineThatRemembersTheDeviceNoticesWhoComesAndGoes() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            let memory = SharedMemory()
            func alerts(after value: Float) async throws -> String {
                try await fixture.hand([.temperature: value], at: .now)
                try await fixture.claim(memory, AlertPolicy(throttle: .microseconds(1)))
                return try await fixture.sql(
                    "WITH gone AS (DELETE FROM alert RETURNING account_id) SELECT string_agg(account_id::text, ',' ORDER BY account_id) FROM gone"
                )
            }
            let (kim, both) = ("\(fixture.account.rawValue)", "\(fixture.account.rawValue),\(lee.rawValue)")
            #expect(try await alerts(after: 25) == kim)
            try await fixture.join(lee)
            #expect(try await alerts(after: 26) == both)
            _ = try await fixture.sql(
                "UPDATE setting SET maximum = 300 WHERE parameter = 0 AND account_id = \(lee.rawValue)")
            #expect(try await alerts(after: 27) == kim)
            #expect(try await alerts(after: 31) == both)
            _ = try await fixture.owner.execute(EndWatching(device: fixture.device, account: lee))
            #expect(try await alerts(after: 32) == kim)
        }
    }

    /// The number of a claim's look-ups does not grow with the people of a device.
    @Test func aReadingIsLookedUpOnceHoweverManyWatch() async throws {
        try await EngineFixture.with { fixture in
            for number in 1...JoinDevice.most {
                try await fixture.join(try await fixture.addPerson("watcher-\(number)"))
            }
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 26], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "\(JoinDevice.most + 1)")
            #expect(
                memory.slots.withLock { $0[fixture.device.slot].device(fixture.device.device)?.watched?.people.count }
                    == JoinDevice.most + 1)
        }
    }
}

extension EngineFixture {
    /// Adds a person with an endpoint, and no device.
    func addPerson(_ name: String) async throws -> Account.ID {
        let account = try await owner.execute(
            AddAccount(email: "\(name)@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC"))[0]
        try await owner.perform(
            AddEndpoint(
                endpoint: Endpoint.ID(rawValue: 100 + account.rawValue), account: account, channel: .webhook,
                target: "https://example.org/\(name)", sealedSecret: []))
        return account
    }

    /// Makes a person a watcher of the fixture's device.
    func join(_ person: Account.ID, readings: DeviceInvitation.Readings = .sinceJoining) async throws {
        let token = (0..<32).map { _ in UInt8.random(in: 0...255) }
        let invited = try await owner.execute(
            AddDeviceInvitation(
                device: device, account: account, tokenHash: token, lifetime: .seconds(60), readings: readings))
        #expect(invited.count == 1)
        #expect(try await owner.execute(JoinDevice(tokenHash: token, account: person))[0].outcome == .joined)
    }

    fileprivate func linkAgain(_ device: DeviceKey, to person: Account.ID) async throws {
        try await owner.perform(LinkDevice(device: device, account: person, name: "Alone", defaults: .ofManual))
    }

    /// Moves the beginning of a part that has just begun to another time.
    func begin(_ device: DeviceKey, of person: Account.ID, at time: Timestamp) async throws {
        _ = try await sql(
            """
            UPDATE ownership SET linked_at = '\(time.iso8601)',
                readings_from = CASE WHEN readings_from > '-infinity' THEN '\(time.iso8601)' ELSE readings_from END
            WHERE unlinked_at IS NULL AND \(Self.theirs(device, person))
            """)
    }

    /// Ends a person's part in a device at a given time.
    fileprivate func end(_ device: DeviceKey, of person: Account.ID, at time: Timestamp) async throws {
        if device == self.device {
            #expect(try await owner.execute(EndWatching(device: device, account: person)) == [true])
        } else {
            let code = StoredClaimCode(
                hash: (0..<32).map { _ in UInt8.random(in: 0...255) }, keyID: String(repeating: "0", count: 16))
            #expect(
                try await owner.execute(UnlinkDevice(device: device, account: person, claimCode: code)) == [true])
        }
        _ = try await sql(
            """
            UPDATE ownership SET linked_at = least(linked_at, '\(time.iso8601)'), unlinked_at = '\(time.iso8601)'
            WHERE unlinked_at > '\(time.iso8601)' AND \(Self.theirs(device, person))
            """)
    }

    private static func theirs(_ device: DeviceKey, _ person: Account.ID) -> String {
        "slot = \(device.slot.rawValue) AND device_id = \(device.device.rawValue) AND account_id = \(person.rawValue)"
    }

    fileprivate func setThrottle(_ person: Account.ID, seconds: Int) async throws {
        _ = try await sql(
            "UPDATE account SET throttle_seconds = \(seconds) WHERE account_id = \(person.rawValue)")
    }

    /// One claim of all slots by an engine with this memory.
    func claim(_ memory: SharedMemory, _ policy: AlertPolicy = AlertPolicy()) async throws {
        _ = try await owner.transaction { transaction in
            try memory.slots.withLock {
                try Claim(policy: policy).perform(
                    transaction, Slot.all.map { Claim.Wanted(slot: $0, stateVersion: nil) }, memory: &$0)
            }
        }
    }

    /// The decisions for each person on devices whose id begins like this, as text. A shared device alone has messages
    /// about its owner's ending it.
    fileprivate static func decided(on device: String) -> String {
        """
        SELECT e.account_id, e.parameter, e.opened_at, e.last_at, e.side, e.worst, e.closed_because,
            CASE WHEN closed_because <> 'unlinked' THEN closed_at END, e.closed_value, (
                SELECT string_agg(concat_ws(' ', purpose, a.side, value, a.worst, limit_value, check_probe, event_time), ', '
                    ORDER BY a.alert_id)
                FROM alert a WHERE a.slot = e.slot AND a.episode_id = e.episode_id AND NOT a.ended), (
                SELECT string_agg(concat_ws(' ', reason, notification, value), ', ' ORDER BY transition_id)
                FROM transition t WHERE t.slot = e.slot AND t.episode_id = e.episode_id)
        FROM episode e JOIN device d ON d.slot = e.slot AND d.device_id = e.device_id
        WHERE d.hardware_id LIKE '\(device)%'
        ORDER BY e.account_id, e.parameter, e.opened_at
        """
    }
}

extension EngineFixture {
    fileprivate func limit(_ device: DeviceKey, _ person: Account.ID, _ limits: WatchersTests.Limits) async throws {
        _ = try await sql(
            """
            UPDATE setting SET
                minimum = CASE parameter WHEN 0 THEN \(limits.minimum) ELSE minimum END,
                maximum = CASE parameter WHEN 0 THEN \(limits.maximum) ELSE \(limits.phMaximum) END
            WHERE valid_until IS NULL AND parameter < 2 AND \(Self.theirs(device, person))
            """)
    }
}
