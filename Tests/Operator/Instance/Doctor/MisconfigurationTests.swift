import BrokerControl
import Foundation
import MQTT
import Store
import TestSupport
import Testing

@testable import Operator

/// Mistakes of an operator with a broker and a database of their own, made for real. `DoctorTests` has the rest.
@Suite struct MisconfigurationTests {
    private static let defaults =
        "its limits are Mosquitto's defaults: it drops readings when 1,000 wait for the ingestor"

    /// Removes the lines that begin with these settings.
    private static func without(_ settings: String...) -> @Sendable (String) -> String? {
        { line in settings.contains { line.hasPrefix($0) } ? nil : line }
    }

    private static func with(_ setting: String, _ replacement: String) -> @Sendable (String) -> String? {
        { line in line.hasPrefix(setting) ? replacement : line }
    }

    /// A broker of the test's own, with one device, whose configuration `change` has rewritten.
    private static func examine(
        _ change: @Sendable @escaping (_ line: String) -> String?,
        _ body: @Sendable (Instance, Examination) async throws -> Void
    ) async throws {
        try await TestCluster.with { cluster in
            try await Instance.with(cluster) { instance in
                try await instance.populate()
                let file = "\(cluster.directory)/broker/mosquitto.conf"
                let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
                try await cluster.halt(.broker)
                try lines.compactMap(change).joined(separator: "\n").appending("\n").overwrite(file)
                try await cluster.resume(.broker)
                try await body(instance, try await instance.examine())
            }
        }
    }

    @Test func aBrokerWithItsDefaultLimits() async throws {
        let change = Self.without("max_queued", "max_inflight", "max_packet", "message_size")
        try await Self.examine(change) { instance, examination in
            #expect(examination.wrong.contains(Self.defaults))
            #expect(examination.report.contains("it has dropped no message lately"))
            // The consequence: an absent Ingestor, and more readings than the queue holds.
            let ingestor = MQTTConfiguration.durable(
                endpoint: try MQTTEndpoint(url: instance.broker.url), clientID: "aqua-ingestor-0",
                credentials: MQTTCredentials(
                    user: TestBroker.ingestor, password: try instance.broker.password(TestBroker.ingestor)),
                batch: 100)
            let consumer = try await MQTTConsumer.connect(ingestor)
            try await consumer.subscribe([MQTTSubscription("aqua/v1/+/readings")])
            try await consumer.disconnect()
            try await instance.broker.addPublisher("load", password: "correct horse battery")
            try await instance.broker.publish(
                Array(repeating: #"{"ph":7}"#, count: 1500), as: "load", password: "correct horse battery",
                to: "aqua/v1/\(instance.device)/readings")
            // The broker publishes its counters every ten seconds.
            try await awaitFact("the broker's losses in the doctor's report", within: .seconds(180)) {
                try await instance.examine().wrong.contains { $0.hasSuffix("its queue was full") }
                    ? true : nil
            }
        }
    }

    @Test func aBrokerWithoutItsAccessRules() async throws {
        try await Self.examine(Self.without("acl_file")) { _, examination in
            #expect(
                examination.wrong.contains { $0.hasPrefix("a device may ") }, "\(examination.report)")
            #expect(examination.findings.contains { $0.mend?.contains("deploy/broker/acl") == true })
        }
    }

    @Test func aBrokerThatLetsEveryoneWriteEverything() async throws {
        try await Self.examine(Self.without()) { instance, examination in
            #expect(examination.report.contains("a device may publish in its own name and in no other"))
            for topics in ["aqua/#", "v1.1/#"] {
                try await instance.administer {
                    try await $0.ensureRole(
                        DynamicSecurity.deviceRole,
                        rules: [.init(.publishClientSend, topics), .init(.subscribePattern, "aqua/v1/+/#")])
                }
                let examination = try await instance.examine()
                #expect(examination.wrong.contains("a device may publish in another device's name"), "\(topics)")
            }
        }
    }

    @Test func aBrokerThatLetsAnybodyIn() async throws {
        try await Self.examine(Self.with("allow_anonymous", "allow_anonymous true")) { _, examination in
            #expect(examination.wrong.contains("it lets anybody in without a name and password"))
        }
    }

    @Test func aCertificateForAnotherName() async throws {
        try await TestCluster.with { cluster in
            try await Instance.with(cluster) { instance in
                try await Paths.withTemporaryDirectory { directory in
                    let made = directory.path(percentEncoded: false)
                    let command = Paths.repository.appending(path: "deploy/broker/certificates")
                    try await ProcessUnderTest.run(
                        command.path(percentEncoded: false), [made, "broker.example.org"])
                    try await cluster.halt(.broker)
                    for name in ["ca.pem", "broker.pem", "broker.key"] {
                        try String(contentsOfFile: "\(made)/\(name)", encoding: .utf8)
                            .overwrite("\(cluster.directory)/broker/tls/\(name)")
                    }
                    try await cluster.resume(.broker)
                }
                let secure = [
                    "AQUA_MQTT_URL": instance.broker.tlsURL, "AQUA_MQTT_CA_FILE": instance.broker.authorityFile,
                ]
                let examination = try await instance.examine(secure)
                #expect(
                    examination.wrong.contains("its TLS certificate is not for 127.0.0.1, by which it is reached"))
                let unknown = try await instance.examine(["AQUA_MQTT_URL": instance.broker.tlsURL])
                #expect(
                    unknown.wrong.contains(
                        "its TLS certificate is not trusted: another authority has signed it, or it has expired"))
            }
        }
    }

    @Test func tooFewConnections() async throws {
        // Servers as in operation: the fast ones take their number of connections from the command line.
        try await TestCluster.with(.full) { cluster in
            try await Instance.with(cluster) { instance in
                try await instance.database.sql("ALTER SYSTEM SET max_connections = 20")
                try await cluster.halt(.database)
                try await cluster.resume(.database)
                #expect(
                    try await instance.examine().wrong.contains(
                        "it admits 17 connections, and two copies of each service need 33"))
            }
        }
    }

    @Test func rolesThatWereRestoredWithoutTheirSettings() async throws {
        try await TestCluster.with { cluster in
            try await Instance.with(cluster) { instance in
                try await instance.database.sql("ALTER ROLE aqua_rules RESET ALL")
                let examination = try await instance.examine()
                #expect(
                    examination.wrong.filter { $0.contains("lacks its setting") } == [
                        "aqua_rules lacks its setting enable_bitmapscan=off",
                        "aqua_rules lacks its setting enable_seqscan=off",
                        "aqua_rules lacks its setting idle_in_transaction_session_timeout=10s",
                        "aqua_rules lacks its setting jit=off",
                        "aqua_rules lacks its setting plan_cache_mode=force_generic_plan",
                        "aqua_rules lacks its setting tcp_keepalives_count=3",
                        "aqua_rules lacks its setting tcp_keepalives_idle=15",
                        "aqua_rules lacks its setting tcp_keepalives_interval=5",
                    ])
                for mend in examination.findings.compactMap(\.mend) where mend.contains("ALTER ROLE") {
                    let statement = try #require(mend.firstRange(of: "run: ")?.upperBound)
                    try await instance.database.sql(String(mend[statement...]))
                }
                #expect(try await instance.examine().wrong.contains { $0.contains("lacks its setting") } == false)
            }
        }
    }

    @Test(arguments: [
        ("postgresql://o@db.example.org/aqua", true), ("postgresql://o@10.1.2.3/aqua?sslmode=require", true),
        ("postgresql://o@localhost,db.example.org/aqua?sslmode=verify-ca", true),
        ("postgresql://o@[2001:db8::1]/aqua", true),
        ("postgresql://o@db.example.org/aqua?sslmode=verify-full", false), ("postgresql://o@127.0.0.1/aqua", false),
        ("postgresql://o@database/aqua", false), ("postgresql://o@[::1]/aqua", false),
        ("postgresql:///aqua?host=/run/postgresql", false),
    ])
    func aDatabaseElsewhereThatIsNotVerified(_ url: String, _ isTold: Bool) {
        let findings = ConfigurationChecks(OperatorEnvironment(["AQUA_DATABASE_URL": url])).findings
        #expect(findings.contains { $0.finding.hasPrefix("AQUA_DATABASE_URL leads to another machine") } == isTold)
    }

    @Test func permissionsThatAreTooWide() async throws {
        try await Instance.with { instance in
            for list in ["0.0.0.0/0:*", "10.0.0.0/8:443", "192.168.1.20/32:8443, fd00::/8:443"] {
                let wrong = try await instance.examine(["AQUA_PUSH_ALLOW": list]).wrong
                #expect(wrong.contains { $0.hasPrefix("AQUA_PUSH_ALLOW is \(list): whoever registers") })
            }
            let narrow = try await instance.examine(["AQUA_PUSH_ALLOW": "192.168.0.0/16:443,fd00:1:2::/48:*"])
            #expect(narrow.wrong.contains { $0.hasPrefix("AQUA_PUSH_ALLOW") } == false)
        }
    }

    @Test func devicesThatAreNotHeard() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            #expect(try await instance.examine().report.contains("every device that somebody owns was heard today"))
            try await instance.database.sql("UPDATE ownership SET linked_at = now() - interval '2 hours'")
            #expect(try await instance.examine().wrong.contains("\(instance.device) is linked and was never heard"))
            try await instance.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, now() - interval '30 hours', now() - interval '30 hours', 7 FROM device
                UNION ALL -- our own clock was ahead
                SELECT slot, 4, device_id, now() + interval '30 hours', now() + interval '30 hours', 7 FROM device
                """)
            let examination = try await instance.examine()
            #expect(examination.report.contains("\(instance.device) has not been heard for a day"))
            #expect(examination.wrong.contains { $0.contains("was never heard") } == false)
            #expect(examination.report.contains("no device's clock is known to be wrong"))
        }
    }

    /// Clocks that differ by more than engines accept.
    @Test(arguments: [
        ("1 s", 5, "'s clock is ahead by more than 5 min, or was never set", false),
        ("30 days", 2, "'s readings are of more than 7 days ago by its clock", true),
        ("6 days", 0, "no device's clock is known to be wrong", false),
    ])
    func clocksThatAreFarOff(ago: String, flags: Int, text: String, isWrong: Bool) async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '2 hours';
                SELECT make_sample_partitions(current_date - 31, current_date - 29);
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, \(flags), device_id, now() - interval '\(ago)', now(), 7 FROM device
                """)
            let examination = try await instance.examine()
            #expect(examination.report.contains(text))
            #expect(examination.wrong.contains { $0.contains(text) } == isWrong)
            #expect(examination.report.contains("no device's clock is known to be wrong") == (flags == 0))
            #expect(examination.report.contains("every device that somebody owns was heard today"))
        }
    }

    @Test func clocksThatAreWrong() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            #expect(try await instance.examine().report.contains("no device's clock is known to be wrong"))
            func note(_ lag: String) async throws -> Examination {
                try await instance.database.sql(
                    """
                    DELETE FROM device_clock;
                    INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, \(lag) FROM device
                    """)
                return try await instance.examine()
            }
            #expect(try await note("32400").report.contains("\(instance.device)'s clock is 9 h behind"))
            #expect(try await note("-250").report.contains("\(instance.device)'s clock is 4 min ahead"))
            #expect(try await note("NULL").wrong.contains { $0.hasPrefix("\(instance.device)'s readings come late") })
        }
    }

    @Test func keysThatAreNotTheOnesOfThen() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", "https://example.org/"))
            #expect(try await instance.examine().report.contains("the key opens the endpoints' secrets"))
            for name in ["device-key", "secret-key"] {
                try Instance.write(Instance.randomKey(), to: instance.directory.appending(path: name))
            }
            let wrong = try await instance.examine().wrong
            #expect(
                wrong.contains(
                    "the master key of 1 devices (\(instance.device) for one) is not in AQUA_DEVICE_KEY_FILE"))
            #expect(wrong.contains { $0.contains("are opened by no key of AQUA_SECRET_KEY_FILE") })
            #expect(wrong.contains("device \(instance.device) cannot log in: its account there has another password"))
        }
    }

    @Test func keysThatAreExchanged() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", "https://example.org/"))
            for name in ["device-key", "secret-key"] {
                let file = instance.directory.appending(path: name)
                let old = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
                try Instance.write("\(Instance.randomKey())\n\(old)", to: file)
            }
            let before = try await instance.examine().report
            #expect(before.contains("1 devices (\(instance.device) for one) have passwords from an older master key"))
            #expect(before.contains("older keys of AQUA_SECRET_KEY_FILE are still needed"))
            try await instance.succeed(instance.aqua("device", "rotate-key", instance.device))
            try await instance.succeed(instance.aqua("reseal"))
            let after = try await instance.examine().report
            #expect(after.contains("no device needs the older master keys of AQUA_DEVICE_KEY_FILE"))
            #expect(after.contains("nothing needs the older keys of AQUA_SECRET_KEY_FILE"))
        }
    }
}

extension String {
    /// Writes into an existing file, whose owner and mode stay.
    fileprivate func overwrite(_ path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(utf8))
        try file.close()
    }
}
