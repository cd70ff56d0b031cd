import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Ingestor

/// Rejected messages of devices: limited per device, and shown only to the owner of that time.
@Suite struct RejectTests {
    private func reject(
        _ reason: String = "unknownParameter", _ subject: String = "po4", of person: TwoPeople.Person,
        messages: Int32 = 1, payload: String = #"{"po4":1}"#
    ) -> RecordRejects.Reject {
        RecordRejects.Reject(
            receivedAt: Timestamp(microseconds: 0), device: person.device, topic: "aqua/v1/x/readings", reason: reason,
            subject: subject, detail: "no parameter is called '\(subject)'", payload: Array(payload.utf8),
            messages: messages)
    }

    private func count(_ rejects: [RecordRejects.Reject], _ people: TwoPeople) async throws {
        let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
        try await ingestor.perform(CountDeviceRejects(rejects))
        await ingestor.close()
    }

    private func seen(
        by person: TwoPeople.Person, of device: DeviceKey, _ people: TwoPeople
    ) async throws -> [DeviceReject] {
        try await people.gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(person.session))
            return try transaction.execute(ListPersonRejects(of: device))
        }
    }

    private func told(_ rejects: [DeviceReject]) -> [String] {
        rejects.map { "\($0.messages) \($0.reason) \($0.subject)" }.sorted()
    }

    @Test func aKindOfADayIsOneRowWithItsLastMessage() async throws {
        try await TwoPeople.with { people in
            let anna = people.anna
            try await count([reject(of: anna, messages: 2), reject("malformed", "", of: anna)], people)
            try await count(
                [reject(of: anna, payload: "{\"po4\":2,\"x\":\"\0\"}"), reject("unknownParameter", "k\0h", of: anna)],
                people)
            let rejects = try await seen(by: anna, of: anna.device, people)
            #expect(told(rejects) == ["1 malformed ", "1 unknownParameter k\u{FFFD}h", "3 unknownParameter po4"])
            let known = try #require(rejects.first { $0.subject == "po4" })
            #expect(String(decoding: known.payload, as: UTF8.self) == "{\"po4\":2,\"x\":\"\0\"}")
            #expect(known.firstAt < known.lastAt)
            try await people.fixture.database.sql("UPDATE device_reject SET day = day - 1 WHERE subject = 'po4'")
            try await count([reject(of: anna)], people)
            #expect(try await seen(by: anna, of: anna.device, people).count == 4, "another day")
        }
    }

    /// A device's rejects displace neither another device's rows nor the ring of messages without a device.
    @Test func nonsenseTakesNobodyElsesPlace() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna, people.ben)
            try await count([reject("malformed", "", of: ben)], people)
            for turn in 0..<20 {
                try await count((0..<100).map { reject("unknownParameter", "made up \(turn) \($0)", of: anna) }, people)
            }
            let rejects = try await seen(by: anna, of: anna.device, people)
            #expect(rejects.count == 17)
            #expect(rejects.reduce(0) { $0 + $1.messages } == 2_000)
            #expect(rejects.first { $0.subject.isEmpty }?.messages == 1_984)
            try await count([reject("tooOld", "", of: anna), reject("wrongType", "ph", of: anna)], people)
            #expect(
                told(try await seen(by: anna, of: anna.device, people)).filter { !$0.contains("unknown") }
                    == ["1 tooOld ", "1 wrongType "], "other reasons have a row in any case")
            #expect(told(try await seen(by: ben, of: ben.device, people)) == ["1 malformed "])
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM reject") == "0")
        }
    }

    @Test func onlyTheOwnerSeesThem() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna, people.ben)
            try await count([reject(of: anna)], people)
            #expect(try await seen(by: ben, of: anna.device, people).isEmpty, "a stranger")
            try await people.fixture.database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, role) VALUES
                    (\(anna.device.slot.rawValue), \(anna.device.device.rawValue), \(ben.account.rawValue), 'Pond', 'watcher')
                """)
            try await count([reject("malformed", "", of: anna)], people)
            #expect(try await seen(by: ben, of: anna.device, people).isEmpty, "a watcher, of their own time too")
            #expect(try await seen(by: anna, of: anna.device, people).count == 2)
        }
    }

    /// The next owner sees neither the former owner's rejects nor those of the time between.
    @Test func theNextOwnerBeginsWithNone() async throws {
        try await TwoPeople.with { people in
            let (anna, ben, device) = (people.anna, people.ben, people.anna.device)
            try await count([reject(of: anna)], people)
            let next = StoredClaimCode(hash: TwoPeople.hash("next"), keyID: SchemaFixture.keyID)
            let unlinking = UnlinkDevice(device: device, account: anna.account, claimCode: next)
            #expect(try await people.fixture.owner.execute(unlinking) == [true])
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM device_reject") == "0")
            try await count([reject(of: anna)], people)
            try await people.fixture.link(device, to: ben.account)
            #expect(try await seen(by: ben, of: device, people).isEmpty)
            try await count([reject(of: anna)], people)
            #expect(told(try await seen(by: ben, of: device, people)) == ["1 unknownParameter po4"])
            #expect(try await seen(by: anna, of: device, people).isEmpty)
        }
    }

    @Test func nothingIsLeftOfAClosedAccount() async throws {
        try await TwoPeople.with { people in
            try await count([reject(of: people.anna), reject(of: people.ben)], people)
            let closed = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                return try transaction.execute(CloseAccount(people.anna.account))
            }
            #expect(closed == [true])
            #expect(
                try await people.fixture.database.sql("SELECT device_id FROM device_reject")
                    == "\(people.ben.device.device.rawValue)")
        }
    }

    @Test func whatIsOlderThanAWeekIsRemoved() async throws {
        try await TwoPeople.with { people in
            let subjects = (0..<5).map { reject("unknownParameter", "\($0)", of: people.anna) }
            try await count(subjects, people)
            try await people.fixture.database.sql(
                "UPDATE device_reject SET day = day - 8 WHERE subject <> '0'; UPDATE device_reject SET day = day - 7 WHERE subject = '0'"
            )
            let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            #expect(try await ingestor.execute(DeleteOldRejects(limit: 3)) == [3])
            #expect(try await ingestor.execute(DeleteOldRejects(limit: 3)) == [1])
            #expect(try await ingestor.execute(DeleteOldRejects(limit: 3)) == [0])
            await ingestor.close()
            #expect(try await people.fixture.database.sql("SELECT subject FROM device_reject") == "0")
        }
    }

    /// A reject of a deleted device is skipped without an error.
    @Test func aDeviceThatIsGoneStopsNobody() async throws {
        try await TwoPeople.with { people in
            var gone = reject(of: people.anna)
            gone.device?.device = Device.ID(rawValue: 99_999)
            try await count([gone, reject(of: people.ben)], people)
            #expect(try await people.fixture.database.sql("SELECT count(*) FROM device_reject") == "1")
        }
    }

    /// Linking locks the device and then its rejects; an Ingestor that has counted one meanwhile goes on counting.
    @Test func aDeviceIsLinkedWhileItSendsRejects() async throws {
        try await TwoPeople.with { people in
            let (anna, ben, device) = (people.anna, people.ben, people.anna.device)
            let next = StoredClaimCode(hash: TwoPeople.hash("next"), keyID: SchemaFixture.keyID)
            let unlinking = UnlinkDevice(device: device, account: anna.account, claimCode: next)
            #expect(try await people.fixture.owner.execute(unlinking) == [true])
            try await count([reject(of: anna)], people)
            let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            try await ingestor.executeScript("BEGIN; SET LOCAL lock_timeout = '10s'")
            try await ingestor.perform(CountDeviceRejects([reject(of: anna)]))
            async let linked: Void = people.fixture.owner.transaction { transaction in
                try transaction.executeScript(
                    "SELECT FROM device WHERE slot = \(device.slot.rawValue) AND device_id = \(device.device.rawValue) FOR UPDATE"
                )
                try transaction.perform(
                    LinkDevice(device: device, account: ben.account, name: "Pond", defaults: SchemaFixture.defaults))
            }
            try await awaitFact("it waits for the Ingestor") {
                try await people.fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ) == "0" ? nil : true
            }
            try await ingestor.perform(CountDeviceRejects([reject("malformed", "", of: anna)]))
            try await ingestor.executeScript("COMMIT")
            try await linked
            await ingestor.close()
            #expect(try await seen(by: ben, of: device, people).isEmpty, "of before")
        }
    }

    /// Ingestors lock devices in one order when they count.
    @Test func ingestorsCountInTheOrderOfDevices() async throws {
        try await TwoPeople.with { people in
            let ordered = [people.anna, people.ben].sorted {
                ($0.device.slot.rawValue, $0.device.device.rawValue) < (
                    $1.device.slot.rawValue, $1.device.device.rawValue
                )
            }
            let both = ordered.reversed().map { reject(of: $0) }
            try await count(both, people)
            let other = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            let ingestor = try await SchemaFixture.connect(people.fixture.database, .ingestor)
            try await other.executeScript("BEGIN; SET LOCAL lock_timeout = '10s'")
            try await other.perform(CountDeviceRejects([reject(of: ordered[0])]))
            async let counted = ingestor.perform(CountDeviceRejects(both))
            try await awaitFact("it waits") {
                try await people.fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ) == "0" ? nil : true
            }
            try await other.perform(CountDeviceRejects([reject(of: ordered[1])]))
            try await other.executeScript("COMMIT")
            _ = try await counted
            await other.close()
            await ingestor.close()
            #expect(try await people.fixture.database.sql("SELECT sum(messages) FROM device_reject") == "6")
        }
    }
}
