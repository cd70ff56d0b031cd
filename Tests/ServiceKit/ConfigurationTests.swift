import Logging
import ServiceKit
import Testing

@Suite struct ConfigurationTests {
    /// The faults of reading, as text.
    private func faults<Value>(
        _ environment: [String: String], _ body: (ConfigurationReader) -> Value
    ) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try Configuration.read(from: environment, body)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func readsWhatIsRight() throws {
        let directory = try TemporaryDirectory()
        let password = try directory.file("password", "correct horse battery\n")
        let authority = try directory.file("ca.pem", "pem", mode: 0o644)
        let environment = [
            "AQUA_DATABASE_URL": " postgresql://aqua_ingestor@/aqua?host=/run/postgresql ",
            "AQUA_DATABASE_PASSWORD_FILE": password,
            "AQUA_MQTT_URL": "MQTTS://broker.example", "AQUA_MQTT_USER": "aqua_ingestor",
            "AQUA_MQTT_PASSWORD_FILE": password, "AQUA_MQTT_CA_FILE": authority,
            "AQUA_LISTEN": "[::1]:9101", "AQUA_THROTTLE": "45m", "AQUA_LOG_LEVEL": "Debug",
            "AQUA_PUSH_ALLOW": " 10.0.0.0/8:443 ,, 192.168.0.0/16:8080",
            "PATH": "/bin",
        ]
        let (database, broker) = try Configuration.read(from: environment) { ($0.database(), $0.broker()) }
        #expect(database.url == "postgresql://aqua_ingestor@/aqua?host=/run/postgresql")
        #expect(database.password?.current.revealed == "correct horse battery")
        #expect(broker.host == "broker.example")
        #expect(broker.port == 8883)
        #expect(broker.usesTLS)
        #expect(broker.authorityFile == authority)
        try Configuration.read(from: environment) { reader in
            #expect(reader.hostAndPort(.listen) == HostAndPort(host: "::1", port: 9101))
            #expect(reader.duration(.throttle, default: .seconds(1)) == .seconds(2_700))
            #expect(reader.duration(.recoveryDelay, default: .seconds(300)) == .seconds(300))
            #expect(reader.logLevel() == .debug)
            #expect(reader.list(.pushAllow) == ["10.0.0.0/8:443", "192.168.0.0/16:8080"])
            #expect(reader.list(.pushCAFile) == [])
        }
    }

    @Test func readsHowLongDataAreKept() throws {
        let usual = try Configuration.read(from: [:]) { $0.retention() }
        #expect(usual == RetentionSettings())
        #expect(usual.samples == .seconds(90 * 86_400))
        let chosen = try Configuration.read(
            from: ["AQUA_SAMPLE_RETENTION": "8d", "AQUA_HOURLY_RETENTION": "192h", "AQUA_ALERT_RETENTION": "30d"]
        ) { $0.retention() }
        #expect([chosen.samples, chosen.hours, chosen.alerts] == [8, 8, 30].map { .seconds($0 * 86_400) })
        let long = try Configuration.read(from: ["AQUA_SAMPLE_RETENTION": "1000d"]) { $0.retention() }
        #expect(long.hours == long.samples, "what is not set is not at fault")
    }

    @Test func refusesToForgetTooSoon() {
        let told = faults([
            "AQUA_SAMPLE_RETENTION": "191h", "AQUA_HOURLY_RETENTION": "0d", "AQUA_ALERT_RETENTION": "for ever",
        ]) { $0.retention() }
        #expect(
            told == [
                "AQUA_SAMPLE_RETENTION is \"191h\": set it to between 8d and 36500d",
                "AQUA_HOURLY_RETENTION is \"0d\": set it to between 8d and 36500d",
                "AQUA_ALERT_RETENTION is \"for ever\": write a number and its unit: 500ms, 90s, 30m, 2h or 7d",
            ])
        #expect(
            faults(["AQUA_HOURLY_RETENTION": "60d"]) { $0.retention() } == [
                "AQUA_HOURLY_RETENTION is 60d, less than samples are kept: set it to at least 90d, or lower "
                    + "AQUA_SAMPLE_RETENTION"
            ])
    }

    @Test func tellsEveryFaultAtOnceByName() {
        let told = faults(["AQUA_MQTT_URL": "http://broker", "AQUA_LISTEN": "9101", "AQUA_THROTTLE": "30"]) { reader in
            _ = (reader.database(), reader.broker(), reader.hostAndPort(.listen))
            _ = reader.duration(.throttle, default: .seconds(1_800))
        }
        #expect(
            told.map { $0.prefix { $0 != " " } } == [
                "AQUA_DATABASE_URL", "AQUA_MQTT_URL", "AQUA_MQTT_USER", "AQUA_MQTT_PASSWORD_FILE", "AQUA_LISTEN",
                "AQUA_THROTTLE",
            ])
        #expect(told.last == "AQUA_THROTTLE is \"30\": write a number and its unit: 500ms, 90s, 30m, 2h or 7d")
        #expect(told.allSatisfy { $0.contains(": ") })
    }

    @Test(arguments: ["0s", "-5s", "3d"])
    func refusesDurationsOutOfBounds(text: String) {
        let told = faults(["AQUA_RECOVERY_DELAY": text]) {
            $0.duration(.recoveryDelay, default: .seconds(300), within: .seconds(1)...(.seconds(86_400)))
        }
        #expect(told == ["AQUA_RECOVERY_DELAY is \"\(text)\": set it to between 1s and 1d"])
    }

    @Test func refusesZeroUnlessAdmitted() {
        #expect(faults(["AQUA_RECOVERY_DELAY": "0s"]) { $0.duration(.recoveryDelay, default: .seconds(1)) }.count == 1)
        #expect(
            faults(["AQUA_RECOVERY_DELAY": "0s"]) {
                $0.duration(.recoveryDelay, default: .seconds(1), within: .zero...(.seconds(9)))
            }.isEmpty)
    }

    @Test(arguments: [
        "", ":80", "host", "host:", "host:65536", "host:-1", "a b:80", "::1:80", "http://h:80", "[[::1]]:80", "[x:80",
    ])
    func refusesAddresses(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    @Test(arguments: [
        "postgresql://aqua:hunter2secret@db/aqua", "postgresql://db/aqua?sslmode=require&password=hunter2secret",
        "postgresql://aqua:hunter2secret@a,b/aqua",
    ])
    func refusesPasswordsInURLsWithoutShowingThem(url: String) {
        let told = faults(["AQUA_DATABASE_URL": url]) { $0.database() }
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("AQUA_DATABASE_URL carries a password") == true)
        #expect(told.first?.contains("hunter2") == false)
    }

    /// In the wrong place nothing identifies a password as one.
    @Test(arguments: [
        ["AQUA_DATABASE_URL": "postgres:/aqua:hunter2secret@db"], ["AQUA_THROTTLE": "postgresql://a:hunter2secret@db"],
        ["AQUA_THROTTLE": "db?password=hunter2secret"], ["AQUA_LISTEN": "aqua:hunter2secret@db"],
    ])
    func showsNoPasswordOfAMistypedVariable(_ environment: [String: String]) {
        let told = faults(environment) {
            ($0.database(), $0.duration(.throttle, default: .zero), $0.hostAndPort(.listen))
        }
        #expect(told.contains { $0.contains("is something that may hold a password") })
        #expect(!told.contains { $0.contains("hunter2") })
    }

    @Test func whatItShowsIsShortAndMovesNoCursor() {
        let long = "\u{9B}2J\u{1B}[2J\u{7F}" + String(repeating: "\u{301}", count: 10_000)
        let told = faults(["AQUA_LISTEN": long, "AQUA_LISTE\u{9B}": "x"]) { $0.hostAndPort(.listen) }
        #expect(told.count == 2)
        for text in told {
            #expect(text.utf8.count < 400)
            #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    @Test func admitsSeveralDatabaseHosts() throws {
        let url = "postgresql://aqua@one:5432,two:5432/aqua?target_session_attrs=read-write"
        #expect(faults(["AQUA_DATABASE_URL": url]) { $0.database() }.isEmpty)
    }

    /// For services only: the tool runs as another user.
    @Test func aStateDirectoryIsOneToWriteTo() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file", "text")
        let parent = directory.path
        func environment(_ path: String) -> [String: String] {
            ["AQUA_DATABASE_URL": "postgresql://aqua_rules@/aqua", "AQUA_STATE_DIRECTORY": path]
        }
        #expect(try Configuration.read(from: environment(parent)) { $0.serviceDatabase() }.stateDirectory == parent)
        for path in [file, "\(parent)/absent"] {
            let told = faults(environment(path)) { $0.serviceDatabase() }
            #expect(
                told.count == 1 && told[0].contains("AQUA_STATE_DIRECTORY names")
                    && told[0].contains("no file can be made"))
            #expect(faults(environment(path)) { $0.database() } == [])
        }
    }

    @Test func readsSeveralBrokersInTheirOrder() throws {
        let directory = try TemporaryDirectory()
        let authority = try directory.file("ca.pem", "pem", mode: 0o644)
        let environment = [
            "AQUA_MQTT_URL": "mqtts://old.example:8884, mqtts://new.example,mqtt://[::1]", "AQUA_MQTT_USER": "aqua",
            "AQUA_MQTT_CA_FILE": authority,
            "AQUA_MQTT_PASSWORD_FILE": try directory.file("password", "0123456789abcdef"),
        ]
        let broker = try Configuration.read(from: environment) { $0.broker() }
        #expect(
            broker.addresses == [
                .init(host: "old.example", port: 8884, usesTLS: true),
                .init(host: "new.example", port: 8883, usesTLS: true), .init(host: "::1", port: 1883, usesTLS: false),
            ])
        #expect(broker.host == "old.example")
        #expect(broker.each.map(\.addresses) == broker.addresses.map { [$0] })
        #expect(broker.each.map(\.authorityFile) == [authority, authority, nil])
        #expect(faults(environment) { $0.broker(isOnly: true) }.map { $0.contains("names 3 brokers") } == [true])
    }

    @Test(arguments: ["mqtt://one,http://two", "mqtt://one,two", ","]) func refusesAListWithAnythingElse(_ list: String)
    {
        let told = faults(["AQUA_MQTT_URL": list]) { $0.brokerAddresses(.mqttURL) }
        #expect(told.count == 1)
        #expect(told.first?.contains("separated by commas") == true)
    }

    @Test func refusesAPasswordInAnyOfSeveralBrokers() {
        let told = faults(["AQUA_MQTT_URL": "mqtt://one,mqtt://user:hunter2secret@two"]) {
            $0.brokerAddresses(.mqttURL)
        }
        #expect(told.count == 1)
        #expect(told.first?.contains("carries a password") == true)
        #expect(told.first?.contains("hunter2") == false)
    }

    @Test func refusesAnAuthorityWithoutEncryption() throws {
        let directory = try TemporaryDirectory()
        let told = faults([
            "AQUA_MQTT_URL": "mqtt://localhost", "AQUA_MQTT_USER": "aqua", "AQUA_MQTT_CA_FILE": "/dev/null",
            "AQUA_MQTT_PASSWORD_FILE": try directory.file("password", "0123456789abcdef"),
        ]) { $0.broker() }
        #expect(told.map { $0.prefix { $0 != " " } } == ["AQUA_MQTT_CA_FILE"])
    }

    @Test func pointsOutTypingErrors() {
        #expect(
            faults(["AQUA_LISTENN": "x", "AQUA_DATABASE_ULR": "y"]) { _ in } == [
                "AQUA_DATABASE_ULR is unknown: rename it to AQUA_DATABASE_URL or remove it",
                "AQUA_LISTENN is unknown: rename it to AQUA_LISTEN or remove it",
            ])
    }

    @Test func refusesSecretsInTheEnvironmentWithoutShowingThem() {
        let told = faults(["AQUA_MQTT_PASSWORD": "hunter2secret"]) { _ in }
        #expect(told.count == 1)
        #expect(told.first?.contains("AQUA_MQTT_PASSWORD_FILE") == true)
        #expect(told.first?.contains("hunter2") == false)
    }

    @Test func letsStrangersPass() {
        let kubernetes = [
            "AQUA_INGESTOR_SERVICE_HOST": "10.0.0.1", "AQUA_MQTT_PORT": "tcp://10.0.0.2:1883", "HOME": "/",
        ]
        #expect(faults(kubernetes) { _ in } == [])
        #expect(Configuration.strangers(in: kubernetes) == ["AQUA_INGESTOR_SERVICE_HOST", "AQUA_MQTT_PORT"])
    }

    @Test func secretsDoNotShowThemselves() {
        let settings = DatabaseSettings(url: "postgresql://db", password: Secret("hunter2secret"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("hunter2"))
    }
}
