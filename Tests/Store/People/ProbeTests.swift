import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// Which probes of a device its people see, and who chooses. Anna's device begins with AA01 in the water and AA02 in the room.
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

    /// What was reported before somebody had the device is not theirs. Which probe is in the water goes with it.
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

    /// Two Ingestors may be out of step. What is older is no news, unless the newer time is of a clock that was ahead.
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
            try await note([report("AA02", 14, of: anna, at: now - .seconds(8 * 86_400))], people)
            try await people.fixture.database.sql("UPDATE reported_probe SET reported_at = now() - interval '8 days'")
            #expect(try await seen(by: anna, of: device, people) == ["AA01! -"], "long gone")
        }
    }

    /// With the readings of an account that was closed goes what probes said in that time.
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
