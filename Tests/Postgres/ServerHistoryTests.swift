import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite struct ServerHistoryTests {
    private static let first = ServerIdentity(system: 7_712_033_796_283_845_125, timeline: 1)
    private static let promoted = ServerIdentity(system: first.system, timeline: 2)
    private static let stranger = ServerIdentity(system: -5, timeline: 9)

    private func refusal(_ history: ServerHistory, of server: ServerIdentity) -> String? {
        do throws(PostgresError) {
            try history.admit(server)
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
            #expect(refusal(ServerHistory(file: file), of: Self.first) == nil)
            #expect(refusal(ServerHistory(file: file), of: Self.promoted) == nil)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(Self.first.system) 2\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
            let restarted = ServerHistory(file: file)
            #expect(refusal(restarted, of: Self.first)?.contains("remove \(file)") == true)
            #expect(refusal(restarted, of: Self.stranger)?.contains("remove \(file)") == true)
            // And that is all that it takes, while the program runs.
            try FileManager.default.removeItem(atPath: file)
            #expect(refusal(restarted, of: Self.stranger) == nil)
            #expect(refusal(restarted, of: Self.promoted) != nil)
        }
    }

    @Test(arguments: ["", "7712033796283845125", "one two", "1 2 3", "1 -2"])
    func aFileThatSaysNothingRefusesEverything(_ text: String) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "aqua-rules.server").path
            try Data(text.utf8).write(to: URL(filePath: file))
            let history = ServerHistory(file: file)
            #expect(refusal(history, of: Self.first)?.contains("remove it to accept any") == true)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
    }

    /// The memory of the process still guards, and is written once it can be.
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

    /// Two probes after two seconds each, or six seconds for what was sent.
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

    /// What the URL says of them comes later.
    @Test func theURLHasTheLastWord() throws {
        let names = try PostgresConfiguration(url: "postgresql://o@a,b/aqua", applicationName: "tests")
            .keywords().map(\.name)
        let url = try #require(names.firstIndex(of: "dbname"))
        for name in ["connect_timeout", "tcp_user_timeout", "target_session_attrs"] {
            #expect(names.lastIndex(of: name).map { $0 < url } == true)
        }
    }
}
