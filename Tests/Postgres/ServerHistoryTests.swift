import Foundation
import Instants
import Synchronization
import TestSupport
import Testing

@testable import Postgres

@Suite struct ServerHistoryTests {
    private static let first = ServerIdentity(system: 7_712_033_796_283_845_125, timeline: 1)
    private static let promoted = ServerIdentity(system: first.system, timeline: 2)
    private static let stranger = ServerIdentity(system: -5, timeline: 9)

    private static let host = PostgresHost(name: "b.example.org", address: "10.0.0.2", port: "5432")
    private static let clock = WallClock { Timestamp(unixSeconds: 1_764_084_149) }
    private static let noted = "2025-11-25T15:22:29Z 10.0.0.2 b.example.org:5432"

    private func refusal(
        _ history: ServerHistory, of server: ServerIdentity, at host: PostgresHost = host
    ) -> String? {
        do throws(PostgresError) {
            try history.admit(server, at: host)
            return nil
        } catch {
            #expect(error.code == .serverRefused && error.isRetriable)
            #expect(error.explanation.contains(error.message))
            return error.message
        }
    }

    @Test(
        arguments: [
            (nil, first, .newer), (first, first, .known), (first, promoted, .newer),
            (promoted, first, .leftBehind(newest: 2)), (first, stranger, .another(than: first.system)),
            (stranger, promoted, .another(than: -5)),
        ] as [(ServerIdentity?, ServerIdentity, ServerVerdict)])
    func verdicts(_ newest: ServerIdentity?, _ server: ServerIdentity, _ verdict: ServerVerdict) {
        #expect(ServerVerdict(on: server, newest: newest) == verdict)
    }

    /// The timeline is written in hexadecimal digits.
    @Test func theNameOfASegmentTellsTheTimeline() {
        #expect(ServerIdentity(system: "-5", segment: "0000001A00000001000000A3")?.timeline == 26)
        for segment in ["", "0000001A", "0000001G00000001000000A3"] {
            #expect(ServerIdentity(system: "1", segment: segment) == nil)
        }
        #expect(ServerIdentity(system: "one", segment: "0000001A00000001000000A3") == nil)
    }

    @Test func whoWasLeftBehindIsRefusedUntilTheNewerOneAnswers() throws {
        let history = ServerHistory()
        for server in [Self.first, Self.promoted, Self.promoted] { #expect(refusal(history, of: server) == nil) }
        #expect(refusal(history, of: Self.first)?.contains("timeline 1, and timeline 2 of the same database") == true)
        #expect(history.refusal?.code == .serverRefused)
        #expect(refusal(history, of: Self.stranger)?.contains("start this program again") == true)
        #expect(refusal(history, of: Self.promoted) == nil)
        #expect(history.refusal == nil)
    }

    @Test func aRestartFindsIt() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "aqua-rules.server").path
            #expect(refusal(ServerHistory(file: file, clock: Self.clock), of: Self.first) == nil)
            #expect(refusal(ServerHistory(file: file, clock: Self.clock), of: Self.promoted) == nil)
            // Versions that know no place still read the file.
            let (text, place) = ("\(Self.first.system) 2\n", "\(Self.first.system) 2 \(Self.noted)\n")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
            #expect(try String(contentsOfFile: "\(file).place", encoding: .utf8) == place)
            // The place and the time of the first meeting.
            let elsewhere = PostgresHost(name: "", address: "10.0.0.3", port: "")
            #expect(refusal(ServerHistory(file: file), of: Self.promoted, at: elsewhere) == nil)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
            #expect(try String(contentsOfFile: "\(file).place", encoding: .utf8) == place)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
            let restarted = ServerHistory(file: file)
            #expect(refusal(restarted, of: Self.first)?.contains("remove \(file)") == true)
            #expect(refusal(restarted, of: Self.stranger)?.contains("remove \(file)") == true)
            // Removing the file is enough, even while the program runs.
            try FileManager.default.removeItem(atPath: file)
            #expect(refusal(restarted, of: Self.stranger) == nil)
            #expect(refusal(restarted, of: Self.promoted) != nil)
        }
    }

    /// A file as an earlier version of the program wrote it.
    @Test func aFileWithoutAPlaceIsGoodAndGetsOne() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "aqua-rules.server").path
            try Data("\(Self.first.system) 2\n".utf8).write(to: URL(filePath: file))
            let history = ServerHistory(file: file, clock: Self.clock)
            let words = try #require(refusal(history, of: Self.first))
            #expect(words.contains("If that server is not the database that was promoted, remove \(file)."))
            #expect(refusal(history, of: Self.promoted) == nil)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(Self.first.system) 2\n")
            #expect(
                try String(contentsOfFile: "\(file).place", encoding: .utf8) == "\(Self.first.system) 2 \(Self.noted)\n"
            )
            // An unreadable or foreign place is no reason to refuse the server.
            for other in ["", "nonsense"] + [1, 3].map({ "\(Self.first.system) \($0) \(Self.noted)\n" }) {
                try Data(other.utf8).write(to: URL(filePath: "\(file).place"))
                #expect(refusal(ServerHistory(file: file), of: Self.promoted) == nil)
            }
        }
    }

    /// A copy of the database that was reached by mistake looks like a promoted standby: the operator must not be told
    /// first to overwrite the other.
    @Test func whoIsRefusedForAnotherHearsWhereThatIs() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "aqua-rules.server").path
            #expect(refusal(ServerHistory(file: file, clock: Self.clock), of: Self.promoted) == nil)
            let words = try #require(refusal(ServerHistory(file: file), of: Self.first))
            #expect(words.contains("worked on, at b.example.org:5432 (10.0.0.2) since 2025-11-25T15:22:29Z."))
            let mistake = try #require(
                words.range(of: "If b.example.org:5432 is not the database that was promoted, remove \(file)."))
            let rewind = try #require(words.range(of: "let it follow b.example.org:5432 (pg_rewind"))
            #expect(mistake.upperBound < rewind.lowerBound)
        }
    }

    @Test func aPromotionIsTold() {
        let told = Mutex<[String]>([])
        let history = ServerHistory(clock: Self.clock)
        history.onPromotion { server in
            told.withLock { $0.append("\(server.identity.timeline) \(server.place.map { "\($0)" } ?? "")") }
        }
        for server in [Self.first, Self.first, Self.promoted, Self.promoted] {
            #expect(refusal(history, of: server) == nil)
        }
        #expect(refusal(history, of: Self.first) != nil)
        #expect(told.withLock(\.self) == ["2 b.example.org:5432 (10.0.0.2) since 2025-11-25T15:22:29Z"])
    }

    @Test func onlyTheNewestIsCurrent() {
        let history = ServerHistory()
        #expect(history.isCurrent(Self.first))
        #expect(refusal(history, of: Self.first) == nil)
        #expect(history.isCurrent(Self.first))
        #expect(refusal(history, of: Self.promoted) == nil)
        #expect(!history.isCurrent(Self.first) && history.isCurrent(Self.promoted))
        #expect(!history.isCurrent(Self.stranger))
    }

    @Test(arguments: [
        "", "7712033796283845125", "one two", "1 2 3", "1 -2", "1 2 yesterday 10.0.0.2 b:5432",
        "1 2 2025-11-25T15:22:29Z 10.0.0.2 b:5432", "1 2\n1 3\n",
    ])
    func aFileThatSaysNothingRefusesEverything(_ text: String) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "aqua-rules.server").path
            try Data(text.utf8).write(to: URL(filePath: file))
            let history = ServerHistory(file: file)
            #expect(refusal(history, of: Self.first)?.contains("remove it to accept any") == true)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
    }

    /// Another copy of the program, in the same directory, has met a newer server meanwhile.
    @Test func whoeverCouldNotWriteForgetsNothingForOthers() async throws {
        try await Paths.withTemporaryDirectory { parent in
            let directory = parent.appending(path: "state")
            let file = directory.appending(path: "aqua-rules.server").path
            let forgetful = ServerHistory(file: file)
            #expect(refusal(forgetful, of: Self.first) == nil)
            #expect(forgetful.isForgetful)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
            #expect(refusal(ServerHistory(file: file), of: Self.promoted) == nil)
            #expect(refusal(forgetful, of: Self.first) != nil)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(Self.first.system) 2\n")
        }
    }

    /// A server that is only met does not change the one that is worked on.
    @Test func whoIsMetAside() throws {
        let history = ServerHistory()
        #expect(refusal(history, of: Self.promoted) == nil)
        #expect(throws: PostgresError.self) { try history.admit(Self.first, at: Self.host, isAside: true) }
        #expect(history.refusal == nil)
        #expect(refusal(history, of: Self.first) != nil)
        #expect(history.refusal != nil)
        try history.admit(Self.promoted, at: Self.host, isAside: true)
        #expect(history.refusal == nil)
    }

    /// The memory of the process still protects, and is written once that is possible.
    @Test func aDirectoryThatCannotBeWrittenTo() async throws {
        try await Paths.withTemporaryDirectory { parent in
            let directory = parent.appending(path: "state")
            let history = ServerHistory(file: directory.appending(path: "aqua-rules.server").path)
            #expect(refusal(history, of: Self.promoted) == nil)
            #expect(history.isForgetful)
            #expect(refusal(history, of: Self.first) != nil)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
            #expect(refusal(history, of: Self.promoted) == nil)
            #expect(!history.isForgetful)
            #expect(
                refusal(ServerHistory(file: directory.appending(path: "aqua-rules.server").path), of: Self.first) != nil
            )
        }
    }
}

@Suite struct HostTests {
    @Test(arguments: [
        ("postgresql://o@a/aqua", ["a:5432"]), ("postgresql://o@a:1,b:2/aqua", ["a:1", "b:2"]),
        ("postgresql://o@a,b/aqua?port=7", ["a:7", "b:7"]), ("host=a,b port=1,", ["a:1", "b:5432"]),
        ("postgresql://o@[::1]:9/aqua", ["::1:9"]), ("hostaddr=127.0.0.1 port=4", ["127.0.0.1:4"]),
        ("postgresql:///aqua?host=/run/postgresql", ["/run/postgresql"]),
    ])
    func allThatTheURLNames(_ url: String, _ hosts: [String]) throws {
        let configuration = try PostgresConfiguration(url: url, applicationName: "tests")
        #expect(configuration.hosts.map(\.description) == hosts)
    }

    /// libpq takes the last of equal keywords.
    private func effective(_ url: String) throws -> [String: String] {
        let configuration = try PostgresConfiguration(url: url, applicationName: "tests")
        return Dictionary(configuration.keywords().map { ($0.name, $0.value) }) { $1 }
    }

    @Test func aDeadOneCostsLessWhereThereIsAnother() throws {
        #expect(try effective("postgresql://o@a,b/aqua")["connect_timeout"] == "2")
        #expect(try effective("postgresql://o@a/aqua")["connect_timeout"] == "5")
    }

    /// Two probes after two seconds each, or six seconds for unacknowledged data.
    @Test func aSilentOneIsNoticedInSixSeconds() throws {
        let keywords = try effective("postgresql://o@a,b/aqua")
        let (idle, interval, count) = (
            try #require(Int(keywords["keepalives_idle"] ?? "")),
            try #require(Int(keywords["keepalives_interval"] ?? "")),
            try #require(Int(keywords["keepalives_count"] ?? ""))
        )
        #expect(idle + interval * count == 6)
        #expect(keywords["tcp_user_timeout"] == "6000")
    }

    /// No list for several hosts from the URL may be left over.
    @Test(arguments: [
        (
            "postgresql://o@127.0.0.1:1,127.0.0.2/aqua?sslmode=verify-full",
            ["host=127.0.0.1 port=1", "host=127.0.0.2 port=5432"]
        ),
        (
            "user=o dbname=aqua sslmode=verify-full host=a,b hostaddr=10.0.0.1, port=,7",
            ["host=a hostaddr=10.0.0.1 port=5432", "host=b port=7"]
        ),
        (
            "user=o dbname=aqua sslmode=verify-full hostaddr=10.0.0.1,10.0.0.2 port=7",
            ["hostaddr=10.0.0.1 port=7", "hostaddr=10.0.0.2 port=7"]
        ),
    ])
    func eachAlone(_ url: String, _ expected: [String]) throws {
        let configuration = try PostgresConfiguration(url: url, applicationName: "tests")
        let hosts = configuration.hosts.map { host in
            // libpq skips empty values.
            let keywords = configuration.keywords(for: host).filter { !$0.value.isEmpty }
            let values = Dictionary(keywords.map { ($0.name, $0.value) }) { $1 }
            #expect(values["user"] == "o" && values["dbname"] == "aqua" && values["sslmode"] == "verify-full")
            return ["host", "hostaddr", "port"].compactMap { name in values[name].map { "\(name)=\($0)" } }
                .joined(separator: " ")
        }
        #expect(hosts == expected)
    }

    /// libpq itself connects to the requested host.
    @Test func eachIsReachedAlone() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            let (role, port) = (TestDatabase.Role.owner, database.server.port)
            for list in ["hostaddr=127.0.0.1, port=1,\(port)", "port=,\(port)"] {
                let configuration = try PostgresConfiguration(
                    url: "user=\(role.rawValue) dbname=\(database.name) host=127.0.0.1,127.0.0.1 \(list)",
                    password: database.password(role), applicationName: "tests")
                let hosts = configuration.hosts
                let connection = try await PostgresConnection.connect(configuration.looking(at: hosts[1]))
                #expect(try await connection.execute(One()) == [1])
                await connection.close()
                do {
                    try await PostgresConnection.connect(configuration.looking(at: hosts[0])).close()
                } catch let error as PostgresError {
                    #expect(!error.message.contains("could not match"))
                }
            }
        }
    }

    /// Keywords of the URL come later than the defaults.
    @Test func theURLHasTheLastWord() throws {
        let names = try PostgresConfiguration(url: "postgresql://o@a,b/aqua", applicationName: "tests")
            .keywords().map(\.name)
        let url = try #require(names.firstIndex(of: "dbname"))
        for name in ["connect_timeout", "tcp_user_timeout", "target_session_attrs"] {
            #expect(names.lastIndex(of: name).map { $0 < url } == true)
        }
    }
}
