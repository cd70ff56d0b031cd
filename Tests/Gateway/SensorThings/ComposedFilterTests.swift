import Instants
import Postgres
import SensorThings
import TestSupport
import Testing

@testable import Gateway

/// Every filter that the grammar allows is SQL that PostgreSQL takes: each field of each set, each operator and each function.
@Suite struct ComposedFilterTests {
    @Test(arguments: EntitySet.allCases) func everyFilterAndOrderIsPrepared(_ set: EntitySet) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.link("tank-1", to: anna)
            let connection = try await PostgresConnection.connect(
                try PostgresConfiguration(
                    url: gateway.database.url(.gateway), password: gateway.database.password(.gateway),
                    applicationName: "filters"))
            for isByHand in set == .observations ? [false, true] : [false] {
                let source = EntitySource(of: set, isByHand: isByHand)
                var key = EntityKey()
                if set == .observations {
                    key.slot = 0
                    key.selection = try #require(
                        Selection(.text("tank-1:temperature" + (isByHand ? ":hand" : "")), of: .datastreams))
                    key.selection.device = 1
                }
                for (path, field) in set.fields { #expect(source.fields[field] != nil, "\(path)") }
                for filter in try Self.filters(of: set) {
                    try await Self.prepare(
                        ReadEntities(set: set, keys: [key], filter: filter, order: [], limit: 1), connection)
                }
                for (path, field) in set.fields where field != .place {
                    for descending in ["asc", "desc"] {
                        let options = try QueryOptions(
                            [(name: "$orderby", value: "\(path) \(descending)")], of: set, isEntity: false)
                        try await Self.prepare(
                            ReadEntities(
                                set: set, keys: [key, key], filter: nil, order: options.order, limit: 1, skip: 1),
                            connection)
                    }
                }
            }
            await connection.close()
        }
    }

    /// A page of Observations is read in the order of the index, in whatever direction and from whatever time: nothing is sorted but the page and,
    /// of probes, the few days that are looked into.
    @Test(arguments: [false, true]) func pagesOfObservationsFollowTheIndex(_ isByHand: Bool) async throws {
        try await SensorThingsScene.with { scene in
            var key = EntityKey()
            key.selection = try #require(
                Selection(isByHand ? scene.nitrateByHand : scene.temperature, of: .datastreams))
            key.selection.device = Int32(scene.device)
            let slot = try #require(Int16(try await scene.gateway.ask("SELECT slot FROM device")))
            key.slot = slot
            let filter = try FilterParser.read(
                "phenomenonTime ge 2026-10-01T00:00:00Z and result gt 3", of: .observations)
            for direction in ["asc", "desc"] {
                let options = try QueryOptions(
                    [(name: "$orderby", value: "phenomenonTime \(direction)")], of: .observations, isEntity: false)
                var page = ReadEntities(
                    set: .observations, keys: [key], filter: filter, order: options.order, limit: 100)
                let now = WallClock.system.now()
                if page.isOfProbes { page.period = now - .seconds(3_600)..<now }
                let plan = try await scene.gateway.plan(of: page)
                let sorts = plan.filter { $0.contains("Sort Key") }
                #expect(
                    sorts.allSatisfy { $0.contains("k.n") || !isByHand && $0.contains("event_time") },
                    "\(plan.joined(separator: "\n"))")
                #expect(
                    plan.filter { $0.contains("on sample_2") }.count <= 2, "days that are not asked for are looked into"
                )
                #expect(!plan.contains { $0.contains("Seq Scan on \(isByHand ? "hand_value" : "sample")") })
            }
        }
    }

    @Test(arguments: [EntitySet.datastreams, .sensors], ["id", "id desc"])
    func aPageLooksIntoNoMoreDevicesThanItShows(_ set: EntitySet, _ order: String) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.database.sql(
                """
                INSERT INTO device (slot, hardware_id, claim_code_hash)
                SELECT n % 64, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(1, 300) n;
                INSERT INTO ownership (slot, device_id, account_id, name) SELECT slot, device_id, \(anna.account), 'Pond' FROM device;
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT slot, device_id, tank_id, gen_random_uuid(), account_id, now() - interval '1 day' FROM ownership;
                INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
                SELECT slot, 3, device_id, tank_id, test_id, at, 10, 10, 'ppm' FROM hand_test;
                GRANT EXECUTE ON FUNCTION name_person(bigint) TO aqua_gateway
                """)
            let order = try QueryOptions([(name: "$orderby", value: order)], of: set, isEntity: false).order
            let page = ReadEntities(set: set, keys: [EntityKey()], filter: nil, order: order, limit: 10)
            let plan = try await gateway.plan(of: page, as: "\(anna.account)")
            let scans = plan.filter { $0.contains("Function Scan on measured_series") }
            #expect(scans.count == 1 && !scans[0].contains("loops=300") && !scans[0].contains("never"), "\(plan)")
        }
    }

    /// Counts of many expanded links are many statements, of which each alone is quick.
    @Test func noStatementBeginsOnceTheTimeOfAnAnswerIsOver() async throws {
        try await GatewayUnderTest.with { gateway in
            let connection = try await PostgresConnection.connect(
                try PostgresConfiguration(
                    url: gateway.database.url(.gateway), password: gateway.database.password(.gateway),
                    applicationName: "patience"))
            let read = ReadEntities(set: .things, keys: [EntityKey()], filter: nil, order: [], limit: 1)
            for late in [false, true] {
                let begun = ContinuousClock.now - (late ? EntityReader.longest : .zero)
                let found = try await connection.transaction(TransactionOptions(isReadOnly: true)) { transaction in
                    let reader = try EntityReader(transaction, begun: begun)
                    let rows = Result { try reader.rows(of: read).count }
                    let count = Result { try reader.count(of: read) }
                    return [rows.isTooMuch, count.isTooMuch]
                }
                #expect(found == [late, late])
            }
            await connection.close()
        }
    }

    private static func prepare(_ page: ReadEntities, _ connection: PostgresConnection) async throws {
        await #expect(throws: Never.self, "\(page.filter.map { $0.text(in: page.set) } ?? "") \(page.order)") {
            _ = try await connection.transaction(TransactionOptions(isReadOnly: true)) { try $0.execute(page) }
            _ = try await connection.transaction(TransactionOptions(isReadOnly: true)) {
                try $0.execute(CountEntities(page: page))
            }
        }
    }

    private static func filters(of set: EntitySet) throws -> [FilterExpression] {
        var texts: [String] = []
        for (path, field) in set.fields {
            switch field.type(in: set) {
            case .number:
                texts += ["eq", "ne", "gt", "ge", "lt", "le"].map { "\(path) \($0) 1" }
                texts += ["add", "sub", "mul", "div", "mod"].map { "\(path) \($0) 2 lt 0" }
                texts += ["round(-\(path)) eq 1", "floor(\(path)) eq ceiling(\(path))"]
            case .text:
                texts += ["eq", "ne", "gt", "ge", "lt", "le"].map { "\(path) \($0) 'it''s'" }
                texts += [
                    "substringof('a',\(path))", "endswith(\(path),'a')", "startswith(\(path),'a')",
                    "not (length(\(path)) gt 1)",
                ]
                texts += [
                    "indexof(\(path),'a') eq 1", "substring(\(path),-1) eq 'a'",
                    "substring(\(path),1e300,1e300) eq 'a'",
                ]
                texts += ["tolower(toupper(trim(concat(\(path),'a')))) eq 'a' or (\(path) eq 'a') eq false"]
            case .time:
                texts += ["eq", "ne", "gt", "ge", "lt", "le"].map { "\(path) \($0) 2026-11-01T00:00:00Z" }
                texts += [
                    "2026-11-01T00:00:00Z lt \(path) and \(path) lt now()",
                    "\(path) gt mindatetime() and \(path) lt maxdatetime()",
                ]
                texts += ["year", "month", "day", "hour", "minute", "second"].map { "\($0)(\(path)) eq 1" }
            case .place:
                texts += ["geo.intersects", "st_intersects", "st_within"].map {
                    "\($0)(\(path),geography'POLYGON((1 1,2 1,2 2,1 2,1 1))')"
                }
            case .truth: break
            }
        }
        return try texts.map { try FilterParser.read($0, of: set) }
    }
}

extension GatewayUnderTest {
    /// How the server runs a page, without scans of whole tables where there is another way: tests' tables are tiny.
    /// - Parameter person: The account for which it is run, not only planned.
    fileprivate func plan(of page: ReadEntities, as person: String? = nil) async throws -> [String] {
        let connection = try await PostgresConnection.connect(
            try PostgresConfiguration(
                url: database.url(.gateway), password: database.password(.gateway), applicationName: "plans"))
        let plan = try await connection.transaction(TransactionOptions(isReadOnly: true)) { transaction in
            try transaction.executeScript(
                person.map { "DO $$ BEGIN PERFORM name_person(\($0)); END $$" }
                    ?? "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
            return try transaction.execute(ExplainPage(page: page, isRun: person != nil))
        }
        await connection.close()
        return plan
    }
}

extension Result where Failure == any Error {
    fileprivate var isTooMuch: Bool {
        if case .failure(let error) = self { error as? SensorThingsFault == .tooMuch } else { false }
    }
}

private struct ExplainPage: ComposedStatement {
    let page: ReadEntities
    let isRun: Bool
    var sql: ComposedSQL {
        isRun ? "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) \(page.sql)" : "EXPLAIN \(page.sql)"
    }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}
