import Foundation
import TestSupport
import Testing

/// The real pipeline under some load, watched by a real Prometheus with the committed rules.
@Suite struct LiveMetricsTests {
    private static let email = "kim@example.org"
    private static let device = "tank-1"
    private static let jobs = [
        "ingestor": "aqua-ingestor", "rules": "aqua-rules", "notifier": "aqua-notifier", "gateway": "aqua-gateway",
    ]

    @Test func rulesAndDashboardsAskForWhatIsMeasured() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let settings = ["aqua-ingestor": try Self.everyWay(directory)]
            try await TestSystem.with(settings: settings) { try await Self.watch($0) }
        }
    }

    /// Settings for devices over HTTP, and for a Home Assistant that is away.
    private static func everyWay(_ directory: URL) throws -> [String: String] {
        let password = directory.appending(path: "password").path(percentEncoded: false)
        #expect(
            FileManager.default.createFile(
                atPath: password, contents: Data("short".utf8), attributes: [.posixPermissions: 0o600]))
        return [
            "AQUA_DEVICE_HTTP_LISTEN": "127.0.0.1:0",
            "AQUA_HOME_ASSISTANT_URL": "mqtt://127.0.0.1:1",
            "AQUA_HOME_ASSISTANT_USER": "aquamonitor",
            "AQUA_HOME_ASSISTANT_PASSWORD_FILE": password,
        ]
    }

    private static func watch(_ system: TestSystem) async throws {
        _ = try await system.addPerson(Self.email)
        let password = try await system.addDevice(Self.device, of: Self.email, name: "Big tank")
        try system.startServices()
        try system.start("aqua-gateway")
        var targets: [String: String] = [:]
        for (job, program) in Self.jobs { targets[job] = try await system.process(program).untilReady() }
        try await Prometheus.with(targets) { prometheus in
            // Waits for zeros first, so that later values count as an increase.
            for metric in ["aqua_ingestor_messages_total", "aqua_rules_claims_total", "aqua_notifier_pending"] {
                try await prometheus.fact("\(metric) == 0")
            }
            try await Self.load(system, password: password)
            try await Self.look(system)
            for fact in [
                "aqua:messages_handed_over:rate5m > 0", "aqua:messages_decided:rate5m > 0",
                "sum(aqua:rejects:rate5m) > 0", "aqua:attempts_failed:ratio10m > 0",
                "aqua:receipt_to_accepted_seconds:p99_5m > 0", "count(aqua:busy:ratio5m) == 3",
                "count(up == 1) == 6", "sum(aqua:requests:rate5m) > 0", "aqua:request_seconds:p99_5m > 0",
                "aqua:batch_fullness:ratio5m > 0",
            ] {
                try await prometheus.fact(fact)
            }
            try await Self.check(prometheus)
        }
        try await Self.lint(system)
    }

    /// Publishes readings within and beyond the limits and some invalid ones, for a receiver that fails at first.
    private static func load(_ system: TestSystem, password: String) async throws {
        system.sink.answer([.status(500)], then: .status(200))
        var lines = (0..<200).map { #"{"temperature":2\#($0 % 5).5,"ph":7.2}"# }
        lines += [#"{"temperature":39.5}"#, #"{"temperature":"#, #"{"temperature":21,"strontium":3}"#]
        let broker = system.cluster.broker
        try await broker.publish(lines, as: device, password: password, to: "aqua/v1/\(device)/readings")
        try await broker.addPublisher("load", password: "correct horse battery")
        try await broker.publish(
            [#"{"ph":7}"#], as: "load", password: "correct horse battery", to: "aqua/v1/nobody/readings")
        _ = try await system.sink.requests(2)
    }

    /// Acts as a person who looks, and as a stranger who guesses.
    private static func look(_ system: TestSystem) async throws {
        let visitor = PeopleClient(origin: try await system.process("aqua-gateway").servesPeople())
        let person = try await visitor.signedIn(email, password: "correct horse battery")
        try await person.succeed("GET", "/readings/latest")
        #expect(try await visitor.ask("GET", "/readings/latest").status == 401)
    }

    private static func check(_ prometheus: Prometheus) async throws {
        let watched = try await prometheus.watched()
        #expect(watched.count > 100)
        for query in watched {
            // One late scrape makes a target's series stale until the next.
            try await awaitAnswer("\(query.place)", within: .seconds(60)) {
                try await prometheus.faults(of: query)
            } where: {
                $0 == []
            }
        }
        try await awaitAnswer("the rules", within: .seconds(60)) {
            try await prometheus.rules().filter { $0.health != "ok" }.map { "\($0.name): \($0.lastError ?? "")" }
        } where: {
            $0 == []
        }
        try await awaitFact("the watchdog at Alertmanager") {
            try await prometheus.alerted().contains("AquaWatchdog") ? true : nil
        }
        // Proves that the check finds names that were renamed or mistyped, and unreadable queries.
        for (query, fault) in [
            ("sum(rate(aqua_ingestor_message_total[5m])) > 0", "nobody measures aqua_ingestor_message_total"),
            (
                #"aqua_ingestor_rejects_total{reason="floods"} > 0"#,
                #"nobody measures aqua_ingestor_rejects_total{reason="floods"}"#
            ),
        ] {
            let faults = try await prometheus.faults(of: Watched(place: "test", query: query, isAnswered: false))
            #expect(faults == ["test: \(fault)"])
        }
        let broken = Watched(place: "test", query: "sum(", isAnswered: true)
        #expect(try await prometheus.faults(of: broken).count == 1)
    }

    /// The complaints of Prometheus's own tool about names, types and help.
    private static func lint(_ system: TestSystem) async throws {
        for program in jobs.values {
            let metrics = try await Prometheus.get("http://\(system.process(program).untilReady())/metrics")
            let promtool = try ProcessUnderTest.start("/usr/bin/promtool", ["check", "metrics"], input: metrics)
            #expect(await promtool.end == .exit(0))
            #expect(promtool.errors.all == [], "\(program)")
        }
    }
}

extension Prometheus {
    /// Waits until a query has an answer.
    func fact(_ query: String) async throws {
        try await awaitFact(query) { try await self.query(query).isEmpty ? nil : true }
    }
}
