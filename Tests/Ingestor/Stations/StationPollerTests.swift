import Instants
import Postgres
import PushTargets
import ServiceKit
import Stations
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// A real Ingestor that asks stand-ins of public services over TLS.
@Suite struct StationPollerTests {
    private struct Scene: Sendable {
        let fixture: ServiceFixture
        let service: StationStandIn
        let sink: WebhookSink
        let site: String

        @discardableResult func ask(_ query: String) async throws -> String { try await fixture.database.sql(query) }

        func await(_ condition: String) async throws {
            try await fixture.store.await("(SELECT \(condition) FROM station)")
        }

        /// Has the station asked once more.
        /// - Parameter age: The age of its last answer as an SQL interval; nil: there was none.
        func askAgain(after age: String? = nil) async throws {
            let former = age.map { "now() - interval '\($0)'" } ?? "NULL"
            try await ask(
                """
                UPDATE station_host SET asked_at = '-infinity', paused_until = '-infinity';
                UPDATE station SET due_at = now() - interval '1 second', fetched_at = \(former)
                """)
            try await self.await("fetched_at > now() - interval '1 hour'")
        }
    }

    /// A state with values so many seconds ago.
    private static func state(_ values: [(ago: Int64, value: Double)]) -> StationStandIn.State {
        StationStandIn.State(values: values.map { (now - .seconds($0.ago), $0.value) })
    }

    private static let now = Timestamp(unixSeconds: Timestamp.now.microseconds / 1_000_000)

    private static let aSite = """
        INSERT INTO account (email, password_hash) VALUES ('ana@example.com', 'scrypt$1');
        SELECT make_site(account_id, 'Weir', NULL, NULL, NULL, NULL, '{0,1}', '{C,pH}', '{120,75}', '{240,85}', '{red,blue}', '{0,1}')
        FROM account
        """

    /// Two sites, each with a station at one host.
    private static let twoStations = """
        \(aSite);
        SELECT make_site(account_id, 'Shore', NULL, NULL, NULL, NULL, '{0,1}', '{C,pH}', '{120,75}', '{240,85}', '{red,blue}', '{0,1}')
        FROM account;
        INSERT INTO station_host (host) VALUES ('sta.example');
        INSERT INTO station (slot, tank_id, device_id, account_id, kind, address, host)
        SELECT slot, ownership_id, device_id, account_id, 'usgs', '01646500', 'sta.example' FROM ownership
        """

    private static let faults: [(WebhookSink.Answer, String)] = [
        (WebhookSink.Answer.status(404), "notFound"), (.status(403), "refused"), (.status(500), "broken"),
        (.status(302, location: "https://elsewhere.example/"), "broken"), (.body("<html>"), "unreadable"),
        (.flood(bytes: StationQuestion.mostBytes + 65_536), "tooLarge"), (.close, "unreachable"),
        (.body(#"{"value":[]}"#), "noSeries"),
    ]

    /// A site that shows a station, and an Ingestor.
    private static func with(
        _ kind: StationKind = .sensorThings, choice: String = "{}", allows: Bool = true,
        begins state: StationStandIn.State = StationStandIn.State(),
        _ body: @Sendable @escaping (Scene) async throws -> Void
    ) async throws {
        try await WebhookSink.with(.http2) { sink in
            let service = StationStandIn(sink)
            service.change { $0 = state }
            try await ServiceFixture.with(devices: []) { fixture in
                let site = try await fixture.database.sql(Self.aSite)
                let host = kind == .usgs ? StationHosts.usgs : "127.0.0.1:\(sink.port)"
                let address = kind == .usgs ? "01646500" : "\(service.origin)/v1.1/Things(1)"
                try await fixture.database.sql(
                    """
                    INSERT INTO station_host (host) VALUES ('\(host)');
                    INSERT INTO station (slot, tank_id, device_id, account_id, kind, address, host, choice)
                    SELECT slot, ownership_id, device_id, account_id, '\(kind.rawValue)', '\(address)', '\(host)', '\(choice)' FROM ownership
                    """)
                var settings = StationSettings(hosts: StationHosts(allows ? [host] : ["elsewhere.example"]))
                settings.allowed = try #require(PushAllowList("127.0.0.0/8:\(sink.port)"))
                settings.authorityFile = service.authorityFile
                settings.origins = [StationHosts.usgs: service.origin]
                settings.surveyKey = Renewable(Secret("the Survey's key"))
                settings.interval = .milliseconds(20)
                try await fixture.withIngestor(changing: { [settings] in $0.stations = settings }) {
                    try await body(Scene(fixture: fixture, service: service, sink: sink, site: site))
                }
            }
        }
    }

    @Test func `a Thing's values are the site's own, in the catalogue's unit, once, and are decided`() async throws {
        try await Self.with(begins: Self.state([(3_600, 50), (1_800, 59)])) { scene in
            try await scene.await("fetched_at IS NOT NULL")
            let stored = "SELECT string_agg(round(temperature::numeric, 1)::text, ' ' ORDER BY event_time) FROM sample"
            #expect(try await scene.ask(stored) == "10.0 15.0")
            #expect(
                try await scene.ask("SELECT count(*) FROM sample WHERE flags = 0") == "2",
                "timed by the source, and judged")
            let times = [Self.now - .seconds(3_600), Self.now - .seconds(1_800)]
            #expect(try await scene.fixture.store.evaluated().map(\.time) == times)
            let known = "concat_ws('|', title, series -> 0 ->> 'parameter', series -> 0 ->> 'unit', fault, failures)"
            #expect(try await scene.ask("SELECT \(known) FROM station") == "Mill weir|temperature|°F|0")
            // The next question begins with the newest value, the one after that is the same.
            try await scene.askAgain()
            try await scene.askAgain()
            #expect(scene.service.unchanged == 1, "nothing new: the source says so itself")
            scene.service.change { $0.values.append((Self.now - .seconds(60), 68)) }
            try await scene.askAgain()
            #expect(try await scene.ask(stored) == "10.0 15.0 20.0")
            #expect(scene.service.refused.isEmpty, "\(scene.service.refused)")
        }
    }

    @Test func `the Survey's station has its name, and its key goes to the Survey alone`() async throws {
        try await Self.with(.usgs, begins: Self.state([(900, 12.5)])) { scene in
            try await scene.await("title = 'Potomac River'")
            #expect(try await scene.ask("SELECT temperature FROM sample") == "12.5")
            #expect(scene.sink.received.count == 2 && scene.service.refused.isEmpty)
            #expect(scene.sink.received.allSatisfy { $0.header("x-api-key") == "the Survey's key" })
        }
        try await Self.with { scene in
            try await scene.await("fetched_at IS NOT NULL")
            #expect(scene.sink.received.allSatisfy { $0.header("x-api-key") == nil })
        }
    }

    @Test(arguments: faults)
    func `a fault of the source is noted at the station, and is no reading`(
        _ answer: WebhookSink.Answer, _ fault: String
    ) async throws {
        try await Self.with(begins: StationStandIn.State(scripted: answer)) { scene in
            try await scene.await("fault IS NOT NULL")
            #expect(try await scene.ask("SELECT fault FROM station") == fault)
            #expect(try await scene.ask("SELECT due_at > now() + interval '10 minutes' FROM station") == "t")
            #expect(try await scene.ask("SELECT count(*) FROM sample") == "0")
            scene.service.change { $0 = Self.state([(60, 50)]) }
            try await scene.askAgain()
            #expect(
                try await scene.ask("SELECT fault IS NULL AND failures = 0 FROM station") == "t",
                "it recovers by itself")
        }
    }

    @Test func `a source that asks for a pause has one, and so have its other stations`() async throws {
        try await Self.with(begins: StationStandIn.State(scripted: .status(429, retryAfter: "7200"))) { scene in
            try await scene.await("fault = 'busy' AND due_at > now() + interval '110 minutes'")
            #expect(scene.sink.received.count == 1)
            let owner = scene.fixture.store.owner
            // Whoever names a station of that host now has it due at once; it is taken when the pause is over.
            try await scene.ask(
                "UPDATE station SET due_at = now() - interval '1 hour', set_at = now(), asked_at = NULL")
            #expect(try await owner.execute(TakeStation(pauseOfHost: .zero)).isEmpty)
            _ = try await owner.perform(PauseHost("127.0.0.1:\(scene.sink.port)", for: .seconds(60)))
            #expect(
                try await scene.ask("SELECT paused_until > now() + interval '110 minutes' FROM station_host") == "t",
                "a shorter pause ends no longer one")
            #expect(scene.sink.received.count == 1)
            try await scene.ask(
                "UPDATE station_host SET paused_until = now() + interval '3 days', asked_at = '-infinity'")
            try await scene.await("asked_at IS NOT NULL")  // a clock was ahead
        }
    }

    /// The first answer is of a day; the second looks back at what was taken since the station was named.
    @Test func `what a source corrects or adds later is taken over, and its hour is rolled up anew`() async throws {
        try await Self.with(begins: Self.state([(10_800, 50), (9_000, 50), (1_800, 59)])) { scene in
            try await scene.await("fetched_at IS NOT NULL")
            let named = Self.now - .seconds(10_000)
            let rules = try await scene.ask(
                "UPDATE station SET set_at = '\(named.iso8601)'; SELECT rules_version FROM device")
            scene.service.change { state in
                state.values[0].value = 68
                state.values[1].value = 68
                state.values.append((Self.now - .seconds(5_400), 77))
            }
            try await scene.askAgain(after: "7 hours")
            let stored = "SELECT string_agg(round(temperature::numeric, 1)::text, ' ' ORDER BY event_time) FROM sample"
            #expect(
                try await scene.ask(stored) == "10.0 20.0 25.0 15.0", "not what was there before the station was named")
            #expect(
                try await scene.ask("SELECT rules_version FROM device") != rules, "engines read the site anew")
            let hour = "date_bin('1 hour', '\((Self.now - .seconds(9_000)).iso8601)'::timestamptz, 'epoch')"
            try await scene.await(
                """
                EXISTS (SELECT FROM rollup_due WHERE hour = \(hour)) OR EXISTS (SELECT FROM sample_hour
                    WHERE starts_at = \(hour) AND temperature_max > 19)
                """)
            #expect(
                try await scene.ask("SELECT due_at < now() + interval '2 minutes' FROM station") == "t",
                "what is new is asked for next")
            try await scene.ask(
                "UPDATE sample SET temperature = NULL, deleted = 1 WHERE temperature = 20; UPDATE sample SET ph = 7")
            scene.service.change { $0.values[3].value = 86 }
            try await scene.askAgain(after: "7 hours")
            #expect(try await scene.ask(stored) == "10.0 30.0 15.0", "what the owner deleted stays so")
            #expect(try await scene.ask("SELECT count(ph) FROM sample") == "4")
            #expect(scene.service.refused.isEmpty, "\(scene.service.refused)")
        }
    }

    @Test func `what the owner has approved stays as it is until that is withdrawn`() async throws {
        try await Self.with(begins: Self.state([(9_000, 50), (1_800, 59)])) { scene in
            try await scene.await("fetched_at IS NOT NULL")
            let hour = "date_bin('1 hour', '\((Self.now - .seconds(9_000)).iso8601)'::timestamptz, 'epoch')"
            try await scene.ask(
                """
                UPDATE station SET set_at = now() - interval '1 day';
                INSERT INTO approval (slot, tank_id, approval_id, device_id, account_id, since, until)
                SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, \(hour), \(hour) + interval '1 hour' FROM station
                """)
            scene.service.change { state in
                state.values[0].value = 68
                state.values[1].value = 68
            }
            let stored = "SELECT string_agg(round(temperature::numeric, 1)::text, ' ' ORDER BY event_time) FROM sample"
            try await scene.askAgain(after: "7 hours")
            #expect(try await scene.ask(stored) == "10.0 20.0")
            try await scene.ask("UPDATE approval SET withdrawn_at = now()")
            try await scene.askAgain(after: "7 hours")
            #expect(try await scene.ask(stored) == "20.0 20.0")
        }
    }

    /// Some services cannot be asked in that order, or give no values of that stretch any more.
    @Test func `a station that cannot be looked back at is asked for what is new`() async throws {
        try await Self.with(begins: Self.state([(7_200, 50), (1_800, 59)])) { scene in
            try await scene.await("fetched_at IS NOT NULL")
            scene.service.change { $0.scripted = .status(500) }
            try await scene.ask("UPDATE station SET set_at = now() - interval '1 day'")
            try await scene.askAgain(after: "7 hours")
            #expect(try await scene.ask("SELECT fault IS NULL AND failures = 0 FROM station") == "t")
        }
    }

    @Test func `a station that fails is not looked back at, and goes on failing`() async throws {
        try await Self.with(begins: Self.state([(7_200, 50), (1_800, 59)])) { scene in
            try await scene.await("fetched_at IS NOT NULL")
            scene.service.change { $0.scripted = .status(404) }
            try await scene.ask(
                """
                UPDATE station_host SET asked_at = '-infinity';
                UPDATE station SET set_at = now() - interval '1 day', fetched_at = now() - interval '7 hours', failures = 3,
                    fault = 'notFound', due_at = now() - interval '1 second'
                """)
            try await scene.await("failures = 4")
            let stands = "fetched_at < now() - interval '6 hours' AND due_at > now() + interval '1 hour'"
            #expect(try await scene.ask("SELECT \(stands) FROM station") == "t")
        }
    }

    @Test func `a host that the operator does not allow is not asked`() async throws {
        try await Self.with(allows: false) { scene in
            try await scene.await("fault = 'notAllowed'")
            #expect(scene.sink.received.isEmpty)
        }
    }

    @Test func `what the owner says of a series counts, and what was let go is not due`() async throws {
        try await Self.with(choice: #"{"7":""}"#, begins: Self.state([(60, 50)])) { scene in
            try await scene.await("fault = 'noSeries'")
            #expect(try await scene.ask("SELECT count(*) FROM sample") == "0", "it is not shown")
            try await scene.ask("UPDATE station SET address = NULL, due_at = now() - interval '1 hour'")
            #expect(try await scene.fixture.store.owner.execute(TakeStation(pauseOfHost: .zero)).isEmpty)
        }
    }

    /// Several askers of one Ingestor begin together.
    @Test func `of those who come at the same moment one asks a host`() async throws {
        try await StoreFixture.with { store in
            try await store.database.sql(Self.twoStations)
            let take = TakeStation(pauseOfHost: .seconds(2))
            let first = try await PostgresConnection.connect(StoreFixture.configuration(store.database, .ingestor))
            try await first.executeScript("SET idle_in_transaction_session_timeout = 0; BEGIN")
            #expect(try await first.execute(take).count == 1)
            #expect(try await store.owner.execute(take).isEmpty)
            try await first.executeScript("ROLLBACK")
            #expect(try await store.owner.execute(take).count == 1)
            await first.close()
        }
    }

    /// The owner names a station of a paused host while a question is on its way to that of before.
    @Test func `a station that is named elsewhere meanwhile is not taken for its former host`() async throws {
        try await StoreFixture.with { store in
            try await store.database.sql(
                """
                \(Self.twoStations);
                INSERT INTO station_host (host, paused_until) VALUES ('paused.example', now() + interval '1 hour')
                """)
            let asker = try await PostgresConnection.connect(StoreFixture.configuration(store.database, .ingestor))
            try await store.owner.executeScript("BEGIN; UPDATE station SET host = 'paused.example'")
            async let taken = asker.execute(TakeStation(pauseOfHost: .zero))
            try await store.await(StoreFixture.aBackendWaits)
            try await store.owner.executeScript("COMMIT")
            #expect(try await taken.isEmpty)
            await asker.close()
        }
    }

    @Test func `the longest texts of a station are stored`() async throws {
        try await StoreFixture.with { store in
            try await store.database.sql(Self.twoStations)
            var due = try #require(try await store.owner.execute(TakeStation(pauseOfHost: .zero)).first)
            let long = String(repeating: "\u{20000}", count: 200)
            due.series = (10..<50).compactMap { number in
                StationSeries(
                    id: String(repeating: "\"", count: StationSeries.longestID - 2) + "\(number)", name: long,
                    unit: long,
                    parameter: .turbidityFNU, newest: Self.now)
            }
            #expect(due.series.count == StationSeries.most)
            _ = try await store.owner.perform(RecordStation(due, pause: .seconds(900)))
            #expect(try await store.database.sql("SELECT max(jsonb_array_length(series)) FROM station") == "40")
        }
    }

    @Test func `a station that never had values is asked more seldom`() async throws {
        try await Self.with { scene in
            try await scene.await("fetched_at IS NOT NULL")
            #expect(try await scene.ask("SELECT due_at < now() + interval '20 minutes' FROM station") == "t")
            try await scene.ask("UPDATE station SET set_at = now() - interval '30 days'")
            try await scene.askAgain()
            #expect(try await scene.ask("SELECT due_at > now() + interval '5 hours' FROM station") == "t")
        }
    }

    @Test func `a source that says without end that it has more is not asked without end`() async throws {
        let stuck = """
            {"value":[{"@iot.id":7,"name":"Water temperature","unitOfMeasurement":{"name":"","symbol":"°C","definition":""},
            "Thing":{"name":"Weir"},"ObservedProperty":{"name":"Water Temperature","definition":""},"Observations":[
            {"phenomenonTime":"\((Self.now - .seconds(3_600)).iso8601)","result":12.5}],"Observations@iot.nextLink":"https://sta.example/next"}]}
            """
        try await Self.with(begins: StationStandIn.State(scripted: .body(stuck))) { scene in
            try await scene.await("fetched_at IS NOT NULL")
            #expect(
                try await scene.ask("SELECT due_at < now() + interval '5 minutes' FROM station") == "t",
                "there is more: it is asked for soon")
            try await scene.askAgain()
            #expect(
                try await scene.ask("SELECT due_at > now() + interval '10 minutes' FROM station") == "t",
                "nothing further came")
        }
    }

    /// Only the poller brings readings of a site.
    @Test func `what a broker hands over for a site is of nobody`() async throws {
        try await StoreFixture.with { store in
            try await store.database.sql(Self.aSite)
            let site = try await store.database.sql("SELECT hardware_id FROM device")
            #expect(try await store.owner.execute(FindDevices([site], kind: .device)).isEmpty)
            #expect(try await store.owner.execute(FindDevices([site], kind: .site)).count == 1)
        }
    }
}
