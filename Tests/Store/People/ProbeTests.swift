import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Which probes of a device its people see, and who chooses. Anna's device begins with AA01 in the water and AA02 in
/// the room.
@Suite struct ProbeTests {
    private func note(_ reported: [ReportedProbe], _ people: TwoPeople) async throws {
        let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
        try await ingestor.perform(NoteReportedProbes(reported))
        await ingestor.close()
    }

    private func report(
        _ probe: String, _ temperature: Float?, of person: TwoPeople.Person, at time: Timestamp = WallClock.system.now()
    ) throws -> ReportedProbe {
        ReportedProbe(device: person.device, probe: try #require(ProbeID(probe)), temperature: temperature, at: time)
    }

    private func seen(by person: TwoPeople.Person, of device: DeviceKey, _ people: TwoPeople) async throws -> [String] {
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            return try transaction.execute(ListPersonProbes(of: device)).map {
                "\($0.id)\($0.isChosen ? "!" : "") \($0.temperature.map { "\($0)" } ?? "-")"
            }
        }
    }

    private func choose(
        _ probe: String, _ person: TwoPeople.Person, of device: DeviceKey, _ people: TwoPeople
    ) async throws -> Bool {
        let id = try #require(ProbeID(probe))
        return try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            return try transaction.execute(ChoosePersonProbe(id, of: device))[0]
        }
    }

    private func watch(_ person: TwoPeople.Person, _ people: TwoPeople) async throws {
        let device = people.anna.device
        try await people.fixture.database.sql(
            """
            INSERT INTO ownership (slot, device_id, account_id, name, role)
            VALUES (\(device.slot.rawValue), \(device.device.rawValue), \(person.account.rawValue), 'Pond', 'watcher')
            """)
    }

    @Test func theOwnerAloneChoosesAmongWhatIsReported() async throws {
        try await TwoPeople.with { people in
            let (anna, ben, device) = (people.anna, people.ben, people.anna.device)
            let chosen =
                "SELECT probe_id, chosen_at IS NOT NULL FROM temperature_probe WHERE device_id = \(device.device.rawValue)"
            func isChosen(_ row: String) async throws -> Bool { try await people.fixture.database.sql(chosen) == row }
            #expect(try await !choose("AA02", ben, of: device, people), "a stranger")
            try await watch(ben, people)
            #expect(try await !choose("AA02", ben, of: device, people), "a watcher")
            #expect(try await !choose("AA03", anna, of: device, people), "not reported")
            #expect(try await choose("AA01", anna, of: device, people))
            #expect(try await isChosen("AA01|f"), "no other than before")
            let version = "SELECT rules_version FROM device WHERE device_id = \(device.device.rawValue)"
            let before = try await people.fixture.database.sql(version)
            #expect(try await choose("AA02", anna, of: device, people))
            #expect(try await isChosen("AA02|t"))
            #expect(try await people.fixture.database.sql(version) != before, "engines have to learn of it")
            #expect(try await seen(by: anna, of: device, people) == ["AA02! 19.0"])
        }
    }

    /// Reports from before a person had the device are not shown to them. The choice of probe stays with the device.
    @Test func theTimeOfOthersIsNotShown() async throws {
        try await TwoPeople.with { people in
            let (anna, ben, device) = (people.anna, people.ben, people.anna.device)
            #expect(try await seen(by: anna, of: device, people) == ["AA01! -", "AA02 19.0"])
            #expect(try await seen(by: ben, of: device, people).isEmpty, "a stranger")
            try await watch(ben, people)
            #expect(try await seen(by: ben, of: device, people) == ["AA01! -"])
            try await note([report("AA02", 18, of: anna)], people)
            #expect(try await seen(by: ben, of: device, people) == ["AA01! -", "AA02 18.0"])

            let unlinked = try await people.fixture.owner.execute(
                UnlinkDevice(
                    device: device, account: anna.account,
                    claimCode: StoredClaimCode(hash: TwoPeople.hash("next"), keyID: SchemaFixture.keyID)))
            #expect(unlinked == [true])
            #expect(try await seen(by: anna, of: device, people).isEmpty)
            try await people.fixture.link(device, to: ben.account)
            #expect(try await seen(by: ben, of: device, people) == ["AA01! -"])
            #expect(try await !choose("AA02", ben, of: device, people), "not reported to them")
        }
    }

    @Test func aDeviceThatMakesUpIdsKeepsEight() async throws {
        try await TwoPeople.with { people in
            let (anna, device) = (people.anna, people.anna.device)
            let now = WallClock.system.now()
            try await note([report("AA01", 23, of: anna, at: now - .seconds(60))], people)
            for turn in 1...5 {
                try await note(
                    (0..<8).map { try report("B\(turn)\($0)", 1, of: anna, at: now + .seconds(turn)) }, people)
            }
            let kept = try await seen(by: anna, of: device, people)
            #expect(kept == ["AA01! 23.0"] + (0..<7).map { "B5\($0) 1.0" })
            #expect(
                try await people.fixture.database.sql(
                    "SELECT count(*) FROM reported_probe WHERE device_id = \(people.ben.device.device.rawValue)") == "1"
            )
        }
    }

    /// Two Ingestors may be out of step: an older report replaces a newer one only if the newer time came from a clock
    /// that was ahead.
    @Test func whatIsOlderReplacesNothing() async throws {
        try await TwoPeople.with { people in
            let (anna, device) = (people.anna, people.anna.device)
            let now = WallClock.system.now()
            try await note([report("AA02", nil, of: anna, at: now + .seconds(10))], people)
            try await note([report("AA02", 17, of: anna, at: now + .seconds(9))], people)
            #expect(try await seen(by: anna, of: device, people) == ["AA01! -", "AA02 -"])
            try await note([report("AA02", 16, of: anna, at: now + .seconds(3_600))], people)
            try await note([report("AA02", 15, of: anna, at: now + .seconds(20))], people)
            #expect(try await seen(by: anna, of: device, people) == ["AA01! -", "AA02 15.0"])
        }
    }

    @Test func whatIsLongGoneIsNotShown() async throws {
        try await TwoPeople.with { people in
            let (anna, now) = (people.anna, WallClock.system.now())
            try await people.fixture.database.sql("UPDATE ownership SET readings_from = now() - interval '30 days'")
            try await note(
                [
                    report("AA03", 15, of: anna, at: now - .seconds(8 * 86_400)),
                    report("AA04", 14, of: anna, at: now - .seconds(6 * 86_400)),
                ], people)
            #expect(try await seen(by: anna, of: anna.device, people) == ["AA01! -", "AA02 19.0", "AA04 14.0"])
        }
    }

    /// Two Ingestors note probes of the same two devices, each displacing the other's rows; neither waits.
    @Test func ingestorsDoNotWaitForEachOther() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna, people.ben)
            let now = WallClock.system.now()
            func made(_ prefix: String, of person: TwoPeople.Person, _ seconds: Int) throws -> NoteReportedProbes {
                let at = now + .seconds(seconds)
                return NoteReportedProbes(try (0..<8).map { try report("\(prefix)\($0)", 1, of: person, at: at) })
            }
            for person in [anna, ben] {
                try await note((0..<7).map { try report("C\($0)", 1, of: person, at: now - .seconds(60)) }, people)
            }
            let first = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            let second = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            for ingestor in [first, second] { try await ingestor.executeScript("BEGIN") }
            try await first.perform(NoteReportedProbes([report("C0", 2, of: anna, at: now - .seconds(50))]))
            try await second.perform(NoteReportedProbes([report("C0", 2, of: ben, at: now - .seconds(50))]))
            try await first.perform(made("D", of: ben, 1))
            try await second.perform(made("E", of: anna, 1))
            for ingestor in [first, second] {
                try await ingestor.executeScript("COMMIT")
                await ingestor.close()
            }
            let kept = "SELECT count(*) FROM reported_probe WHERE device_id = \(anna.device.device.rawValue)"
            #expect(try await people.fixture.database.sql(kept) == "9", "what the other one notes is left, for now")
            try await note([report("E7", 3, of: anna, at: now + .seconds(2))], people)
            #expect(try await people.fixture.database.sql(kept) == "8")
        }
    }

    /// First probes are noted in the order of devices: a transaction that waits for the first device has locked no
    /// others.
    @Test func firstProbesAreNotedInTheOrderOfTheirDevices() async throws {
        try await SchemaFixture.with { fixture in
            var devices: [DeviceKey] = []
            for number in 0..<8 { devices.append(try await fixture.addDevice("tank-\(number)")) }
            devices.sort { ($0.slot.rawValue, $0.device.rawValue) < ($1.slot.rawValue, $1.device.rawValue) }
            let probe = try #require(ProbeID("AA01"))
            let other = try await SchemaFixture.connect(fixture.database, .ingestor)
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            try await other.executeScript("BEGIN; SET LOCAL lock_timeout = '10s'")
            try await other.perform(NoteProbes([devices[0]: probe]))
            let all = NoteProbes(Dictionary(uniqueKeysWithValues: devices.map { ($0, probe) }))
            async let noted = ingestor.perform(all)
            try await awaitFact("it waits") {
                try await fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ) == "0" ? nil : true
            }
            for device in devices.dropFirst() { try await other.perform(NoteProbes([device: probe])) }
            try await other.executeScript("COMMIT")
            #expect(try await noted == 0)
            await other.close()
            await ingestor.close()
        }
    }

    /// Probe reports are erased with the readings of a closed account.
    @Test func nothingIsLeftOfAClosedAccount() async throws {
        try await TwoPeople.with { people in
            let closed = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                return try transaction.execute(CloseAccount(people.anna.account))
            }
            #expect(closed == [true])
            let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            while try await ingestor.execute(EraseReadings(limit: 20)).first ?? nil != nil {}
            await ingestor.close()
            #expect(
                try await people.fixture.database.sql("SELECT device_id FROM reported_probe")
                    == "\(people.ben.device.device.rawValue)")
        }
    }
}
