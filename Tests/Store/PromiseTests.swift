import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Constraints that the schema enforces, whichever program writes.
@Suite struct PromiseTests {
    private func expectRefused(_ sql: String, _ words: String, _ database: TestDatabase) async {
        let error = await #expect(throws: TestSupportError.self, "\(sql)") { try await database.sql(sql, as: .owner) }
        #expect(error?.description.contains(words) == true, "\(sql): \(error?.description ?? "")")
    }

    @Test func oneEpisodeIsOpenForOneThing() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim").rawValue
            func open(_ id: Int, parameter: String, kind: String, side: String) -> String {
                """
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at)
                VALUES (1, 1, \(parameter), \(account), \(id), \(kind), \(side), now(), now())
                """
            }
            try await fixture.database.sql(open(1, parameter: "0", kind: "'range'", side: "'low'"), as: .owner)
            await expectRefused(
                open(2, parameter: "0", kind: "'range'", side: "'high'"), "episode_one_open", fixture.database)
            try await fixture.database.sql(open(3, parameter: "1", kind: "'range'", side: "'high'"), as: .owner)
            try await fixture.database.sql(open(4, parameter: "0", kind: "'fault'", side: "NULL"), as: .owner)
            // A silence of a whole device has no parameter: NULL counts as a value here.
            try await fixture.database.sql(open(5, parameter: "NULL", kind: "'silence'", side: "NULL"), as: .owner)
            await expectRefused(
                open(6, parameter: "NULL", kind: "'silence'", side: "NULL"), "episode_one_open", fixture.database)
            await expectRefused(
                open(7, parameter: "2", kind: "'range'", side: "NULL"), "check constraint", fixture.database)
            try await fixture.database.sql(
                "UPDATE episode SET closed_at = now(), closed_because = 'flipped' WHERE episode_id = 1", as: .owner)
            try await fixture.database.sql(open(2, parameter: "0", kind: "'range'", side: "'high'"), as: .owner)
        }
    }

    @Test func aDeviceHasOneOwner() async throws {
        try await SchemaFixture.with { fixture in
            let (kim, lee) = (try await fixture.addAccount("kim"), try await fixture.addAccount("lee"))
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: kim)
            for account in [kim, lee] {
                let error = await #expect(throws: PostgresError.self) { try await fixture.link(device, to: account) }
                #expect(error?.constraint == "ownership_one_owner")
            }
            try await fixture.owner.perform(
                UnlinkDevice(
                    device: device, account: kim,
                    claimCode: StoredClaimCode(hash: Array(repeating: 1, count: 32), keyID: SchemaFixture.keyID)))
            try await fixture.link(device, to: lee)
            #expect(
                try await fixture.database.sql("SELECT count(*) FROM setting WHERE valid_until IS NULL")
                    == "\(SchemaFixture.defaults.count)")
            #expect(
                try await fixture.database.sql("SELECT count(*) FROM setting") == "\(2 * SchemaFixture.defaults.count)")
        }
    }

    @Test func limitsDoNotCross() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: account)
            await expectRefused(
                "UPDATE setting SET minimum = maximum WHERE parameter = 0", "setting_limits_cross", fixture.database)
            await expectRefused(
                "UPDATE setting SET minimum = 0 WHERE parameter = 2", "setting_has_no_minimum", fixture.database)
            await expectRefused(
                "UPDATE setting SET maximum = 401 WHERE parameter = 0", "setting_absolute_range", fixture.database)
        }
    }

    /// An engine reloads rules when the slot's version has grown, and then only those of devices with a newer version.
    @Test func everyChangeOfRulesIsCounted() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            let other = try await fixture.addDevice("tank-2")
            func versions() async throws -> [String] {
                let text = try await fixture.database.sql(
                    """
                    SELECT version FROM slot_rules WHERE slot = \(device.slot.rawValue)
                    UNION ALL SELECT rules_version FROM device WHERE device_id = \(device.device.rawValue)
                    """)
                return text.split(separator: "\n").map(String.init)
            }
            #expect(try await versions() == ["0", "0"])
            var last = 0
            let changes = [
                "UPDATE setting SET maximum = 300 WHERE parameter = 0 AND device_id = \(device.device.rawValue)",
                "UPDATE account SET throttle_seconds = 60", "UPDATE ownership SET unlinked_at = now()",
            ]
            try await fixture.link(device, to: account)
            for change in [nil] + changes {
                if let change { try await fixture.database.sql(change, as: .owner) }
                let now = try await versions()
                #expect(Set(now).count == 1, "device and slot agree")
                let version = try #require(Int(now[0]))
                #expect(version > last, "\(change ?? "link")")
                last = version
            }
            // A change that affects no rule does not raise the version, and neither does another device's change.
            try await fixture.database.sql("UPDATE account SET locale = 'ja'", as: .owner)
            try await fixture.link(other, to: account)
            #expect(try await versions()[1] == "\(last)")
        }
    }

    @Test func partitionsAreMadeOnceAndByThoseWhoMay() async throws {
        // A separate, freshly migrated template, because the fixture makes partitions too.
        try await TestCluster.shared.database.withDatabase(template: "partitions", migrate: SchemaFixture.migrate) {
            database in
            let ingestor = try await SchemaFixture.connect(database, .ingestor)
            #expect(try await ingestor.execute(MakePartitions()) == [0], "the migration has made them")
            #expect(try await ingestor.execute(MakePartitions(daysBack: 10, daysAhead: 4))[0] >= 3)
            #expect(try await ingestor.execute(MakePartitions(daysBack: 10, daysAhead: 4)) == [0])
            await #expect(throws: PostgresError.self) {
                try await ingestor.execute(MakePartitions(daysBack: 10, daysAhead: 1_000))
            }
            let partitions = try await database.sql(
                """
                SELECT count(*), bool_and(pg_get_userbyid(relowner) = 'aqua_owner') FROM pg_class
                WHERE relispartition AND relkind = 'r' AND relname ~ '^sample_[0-9]{8}$'
                """)
            #expect(partitions == "15|t")
            let rules = try await SchemaFixture.connect(database, .rules)
            let error = await #expect(throws: PostgresError.self) { try await rules.execute(MakePartitions()) }
            #expect(error?.code == .insufficientPrivilege)
            for connection in [ingestor, rules] { await connection.close() }
        }
    }

    @Test func partitionsMeetAtMidnightUTCWhateverTheSessionsZone() async throws {
        try await SchemaFixture.with { fixture in
            let day = "((now() AT TIME ZONE 'UTC')::date - 40)"
            try await fixture.database.sql(
                "SET TimeZone = 'Pacific/Auckland'; SELECT make_sample_partitions(\(day), \(day))", as: .owner)
            let isRight = try await fixture.database.sql(
                """
                SET TimeZone = 'UTC';
                SELECT pg_get_expr(relpartbound, oid)
                    = format('FOR VALUES FROM (%L) TO (%L)', \(day) || ' 00:00:00+00', \(day) + 1 || ' 00:00:00+00')
                FROM pg_class WHERE relname = 'sample_' || to_char(\(day), 'YYYYMMDD')
                """)
            #expect(isRight == "t")
        }
    }

    @Test func rejectsAreARing() async throws {
        try await SchemaFixture.with { fixture in
            func record(_ count: Int, _ detail: String) async throws {
                let reject = RecordRejects.Reject(
                    receivedAt: Timestamp(microseconds: 0), topic: "t\0", reason: "malformed", detail: detail,
                    payload: Array(repeating: 7, count: 600))
                try await fixture.owner.perform(RecordRejects(Array(repeating: reject, count: count)))
            }
            try await record(1, "the first")
            for _ in 0..<10 { try await record(RecordRejects.maximum, "later") }
            #expect(
                try await fixture.database.sql(
                    "SELECT count(*), count(*) FILTER (WHERE detail = 'later'), max(length(payload)) FROM reject")
                    == "10000|10000|512")
        }
    }

    @Test func anOlderStatusDoesNotReplaceANewerOne() async throws {
        try await SchemaFixture.with { fixture in
            let device = Device.ID(rawValue: 1)
            for (seconds, online) in [(10, true), (5, false), (10, false), (11, true)] {
                let at = Timestamp(microseconds: Int64(seconds) * 1_000_000)
                try await fixture.owner.perform(
                    RecordStatuses([.init(slot: Slot.all[0], device: device, online: online, at: at)]))
                let stored = try await fixture.database.sql("SELECT online FROM device_status")
                #expect(stored == ((seconds, online) == (10, false) ? "f" : "t"))
            }
        }
    }
}
