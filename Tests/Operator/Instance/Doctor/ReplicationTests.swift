import Foundation
import TestSupport
import Testing

@testable import Operator

@Suite struct ReplicationFindingsTests {
    private static func server(
        _ host: String, system: Int64 = 1, timeline: Int64? = 1, at position: Int64 = 100 << 20,
        synchronous: String = "", followers: [String] = [], receives: Bool? = nil
    ) -> ServerLook {
        ServerLook(
            host: host,
            answer: InspectReplication.Row(
                system: system, isStandby: timeline == nil, timeline: timeline, position: position,
                synchronous: synchronous, followers: followers, receives: receives ?? (timeline == nil)))
    }

    private static let sound = [
        server("a:5432", synchronous: "b", followers: ["b"]), server("b:5432", timeline: nil, at: 99 << 20),
    ]

    private func findings(_ looks: [ServerLook], keepsHistory: Bool = true) -> [Finding] {
        ReplicationFindings(looks: looks, keepsHistory: keepsHistory).all
    }

    private func wrong(_ looks: [ServerLook]) -> [String] {
        findings(looks).filter { $0.status == .wrong }.map(\.finding)
    }

    @Test func aPrimaryAndItsSynchronousStandby() {
        #expect(
            findings(Self.sound).map { "\($0.status.rawValue) \($0.finding)" } == [
                "ok a:5432 is the primary, on timeline 1", "ok b:5432 is a standby, 1024 KiB behind",
                "ok a commit waits for b",
            ])
        #expect(
            findings(Self.sound, keepsHistory: false).last?.finding.hasPrefix("AQUA_STATE_DIRECTORY is not set") == true
        )
    }

    @Test func oneServerIsNoFault() {
        #expect(findings([Self.server("a:5432")], keepsHistory: false).map(\.status) == [.ok, .ok])
        // The database's own checks give the reason.
        #expect(findings([ServerLook(host: "a:5432", trouble: "refused")]).isEmpty)
    }

    @Test func whoDoesNotAnswer() {
        #expect(
            wrong([Self.sound[0], ServerLook(host: "b:5432", trouble: "refused")]) == [
                "b:5432 does not answer: refused"
            ])
    }

    @Test func nobodyWrites() {
        #expect(wrong([Self.server("a:5432", timeline: nil)]) == ["no host of AQUA_DATABASE_URL can be written to"])
    }

    @Test func anotherDatabase() {
        let wrong = wrong([Self.sound[0], Self.server("b:5432", system: 2, timeline: nil)])
        #expect(wrong.count == 1 && wrong[0].hasSuffix("a:5432 has 1, b:5432 has 2"))
    }

    @Test(arguments: [
        (Int64(2), "Stop a:5432 at once"), (Int64(1), "Stop the one that the other standbys do not follow at once"),
    ])
    func twoThatWrite(_ timeline: Int64, _ mend: String) {
        let found = findings([Self.sound[0], Self.server("b:5432", timeline: timeline)]).filter { $0.status == .wrong }
        #expect(found.count == 1)
        #expect(found.first?.finding.hasPrefix("several servers can be written to: ") == true)
        #expect(found.first?.mend?.hasPrefix(mend) == true)
    }

    @Test func aStandbyThatFallsBehind() {
        let late = Self.server("b:5432", timeline: nil, at: 50 << 20)
        #expect(wrong([Self.sound[0], late]) == ["b:5432 is a standby, 50 MiB behind a:5432"])
    }

    /// On a quiet database it would be only a few bytes behind for hours, and one on another timeline may be ahead.
    @Test(arguments: [Int64(99), 101]) func aStandbyThatFollowsNobody(_ megabytes: Int64) {
        let lost = Self.server("b:5432", timeline: nil, at: megabytes << 20, receives: false)
        #expect(
            wrong([Self.sound[0], lost]) == [
                "b:5432 is a standby that follows nobody: what a:5432 commits does not reach it"
            ])
    }

    @Test func standbysForWhomNobodyWaits() {
        let primary = Self.server("a:5432", followers: ["b", "c"])
        let found = findings([primary, Self.sound[1]]).filter { $0.status == .wrong }
        #expect(found.map(\.finding).first?.hasPrefix("no commit waits for a standby (b, c): ") == true)
        #expect(found.first?.mend?.contains(#"= 'ANY 1 ("b", "c")'; SELECT pg_reload_conf();"#) == true)
        // A copy for reading, as far as one host can tell.
        #expect(findings([primary]).map(\.status) == [.ok, .notice])
    }
}

/// Real standbys and poolers.
@Suite(.timeLimit(.minutes(10))) struct ReplicationTests {
    private func run(_ mend: String?, _ database: TestDatabase) async throws {
        let start = try #require(mend?.firstRange(of: "ALTER SYSTEM")?.lowerBound)
        let end = try #require(mend?.firstRange(of: "SELECT pg_reload_conf();")?.upperBound)
        try await database.sql(String(mend?[start..<end] ?? ""))
    }

    /// Each suggested remedy works.
    @Test func standbysAndTheirAbsence() async throws {
        try await TestCluster.with(.full) { cluster in
            try await Instance.with(cluster) { instance in
                try await TestStandby.with(of: cluster) { standby in
                    let url: [String: String?] = ["AQUA_DATABASE_URL": standby.url(.owner, instance.database)]
                    let asynchronous = try await instance.examine(url)
                    #expect(asynchronous.wrong.count { $0.hasPrefix("no commit waits for a standby (standby): ") } == 1)
                    #expect(asynchronous.report.contains("127.0.0.1:\(standby.port) is a standby, "))
                    #expect(asynchronous.report.contains("AQUA_STATE_DIRECTORY is not set"))
                    let makeSynchronous = asynchronous.findings.first { $0.finding.hasPrefix("no commit waits") }?.mend
                    try await run(makeSynchronous, instance.database)
                    try await awaitFact("the synchronous standby") {
                        let examination = try await instance.examine(url)
                        return examination.report.contains("a commit waits for ANY 1") ? true : nil
                    }

                    // Commits then wait for nobody, whatever the names say.
                    try await instance.database.sql(
                        "ALTER SYSTEM SET synchronous_commit = 'local'; SELECT pg_reload_conf()")
                    try await awaitFact("a setting that makes commits wait for nobody") {
                        try await instance.examine(url).wrong.contains { $0.contains("synchronous_commit") }
                            ? true : nil
                    }
                    try await instance.database.sql("ALTER SYSTEM RESET synchronous_commit; SELECT pg_reload_conf()")

                    // The primary does not know of it, goes on and waits.
                    try await standby.promote()
                    let split = try await instance.examine(url)
                    #expect(
                        split.wrong.contains {
                            $0.hasPrefix(
                                "several servers can be written to: 127.0.0.1:\(standby.port) (timeline 2), "
                                    + "127.0.0.1:\(cluster.database.port) (timeline 1)")
                        })
                    #expect(
                        split.wrong.contains {
                            $0.hasPrefix(#"commits wait for a standby that is gone (ANY 1 ("standby"))"#)
                        })
                    await standby.crash()
                    let alone = try await instance.examine(url)
                    #expect(alone.wrong.contains { $0.hasPrefix("127.0.0.1:\(standby.port) does not answer: ") })
                    try await run(
                        alone.findings.first { $0.finding.hasPrefix("commits wait") }?.mend, instance.database)
                    try await awaitFact("commits that end") {
                        let examination = try await instance.examine(url)
                        return examination.report.contains("a commit ends") ? true : nil
                    }
                }
            }
        }
    }

    @Test func aPoolerThatSharesConnections() async throws {
        try await Instance.with { instance in
            try await TestPooler.with(instance.database, .transaction) { pooler in
                let shared = try await instance.examine(["AQUA_DATABASE_URL": pooler.url(.owner, instance.database)])
                #expect(shared.wrong.count { $0.contains("PgBouncer with pool_mode = transaction") } == 1)
                // No finding that merely follows from it.
                #expect(shared.findings.count { $0.status == "wrong" && $0.topic == "database" } == 0)
            }
            try await TestPooler.with(instance.database, .session) { pooler in
                let own = try await instance.examine(["AQUA_DATABASE_URL": pooler.url(.owner, instance.database)])
                #expect(!own.report.contains("PgBouncer"))
                #expect(own.report.contains("the schema has version"))
            }
        }
    }
}
