import Foundation
import TestSupport
import Testing

/// The test harness itself.
@Suite struct TestSupportTests {
    @Test func rolesLogInWithTheirOwnPasswordsOnly() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            for role in TestDatabase.Role.allCases {
                #expect(try await database.sql("SELECT current_user", as: role) == role.rawValue)
            }
            await #expect(throws: TestSupportError.self) {
                try await database.sql("CREATE TABLE public.mine ()", as: .rules)
            }
            let wrong = try ProcessUnderTest.start(
                "/usr/bin/psql", [database.url(.rules), "-c", "SELECT 1"], environment: ["PGPASSWORD": "guess"])
            #expect(await wrong.end == .exit(2))
            #expect(wrong.errors.tail().contains("password authentication failed"))
        }
    }

    @Test func aTemplateIsMadeOnceAndCopied() async throws {
        let database = try await TestCluster.shared.database
        let (migrations, migrated) = AsyncStream.makeStream(of: String.self)
        for _ in 0..<2 {
            try await database.withDatabase(template: "once") { template in
                migrated.yield(template.name)
                try await template.sql("CREATE TABLE mark (n integer)", as: .owner)
            } _: { copy in
                try await copy.sql("INSERT INTO mark VALUES (1)", as: .owner)
                #expect(try await copy.sql("SELECT count(*) FROM mark") == "1")
            }
        }
        migrated.finish()
        #expect(await migrations.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test func theBrokerKnowsItsDevices() async throws {
        let broker = try await TestCluster.shared.broker
        try await broker.addDevice("harness-1", password: "a device's key")
        func publish(_ user: String, _ password: String) async throws -> ProcessUnderTest.End {
            let connection = ["-h", "127.0.0.1", "-p", "\(broker.tlsPort)", "--cafile", broker.authorityFile]
            let message = ["-q", "1", "-t", "aqua/v1/harness-1/status", "-m", "online"]
            let client = try ProcessUnderTest.start(
                "/usr/bin/mosquitto_pub", connection + ["-i", user, "-u", user, "-P", password] + message)
            return await client.end
        }
        #expect(try await publish("harness-1", "a device's key") == .exit(0))
        #expect(try await publish("harness-1", "a guess") != .exit(0))
    }

    @Test func aServerOfOnesOwnIsHaltedAndResumed() async throws {
        try await TestCluster.with { cluster in
            try await cluster.database.withDatabase { database in
                try await database.sql("CREATE TABLE kept AS SELECT 1", as: .owner)
                try await cluster.halt(.database)
                await #expect(throws: TestSupportError.self) { try await database.sql("SELECT 1") }
                try await cluster.resume(.database)
                #expect(try await database.sql("SELECT count(*) FROM kept") == "1")
            }
            try await cluster.halt(.broker)
            try await cluster.resume(.broker)
        }
    }

    @Test func aProcessIsReadSignalledAndAwaited() async throws {
        let process = try ProcessUnderTest.start(
            "/bin/sh", ["-c", "read word; echo aside >&2; echo got $word; exec sleep 600"], input: "this\n")
        #expect(try await process.line { $0.hasPrefix("got") } == "got this")
        process.signal(SIGKILL)
        #expect(await process.end == .signal(SIGKILL))
        #expect(process.errors.all == ["aside"])
    }

    @Test func nothingButItsStandardStreamsReachesAProcess() async throws {
        let open = try await ProcessUnderTest.run("/bin/ls", ["/proc/self/fd"])
        #expect(open.split(separator: "\n").count <= 4)  // the fourth is ls's descriptor of the listed directory
    }
}
