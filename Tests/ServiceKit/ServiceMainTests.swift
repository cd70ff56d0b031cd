import Foundation
import ServiceKit
import ServiceLifecycle
import Testing

/// Whole processes: signals, exit codes and both outputs.
@Suite struct ServiceMainTests {
    private func lines(_ bytes: [UInt8]?) -> [String] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func printsEveryFaultAndExits78() async throws {
        let result = await #expect(processExitsWith: .exitCode(78), observing: [\.standardErrorContent]) {
            await ServiceMain.run(
                "aqua-test", arguments: [], environment: ["AQUA_LOG_LEVEL": "loud", "AQUA_LISTNE": "localhost:1"],
                read: { $0.database() }, build: { _, _ in [] })
        }
        let told = lines(result?.standardErrorContent).filter { $0.contains("AQUA_") }
        #expect(
            told.map { $0.split(separator: " ").first.map(String.init) } == [
                "AQUA_DATABASE_URL", "AQUA_LISTEN", "AQUA_LOG_LEVEL", "AQUA_LISTNE",
            ])
        #expect(told.contains("  AQUA_LISTNE is unknown: rename it to AQUA_LISTEN or remove it"))
    }

    @Test func aCrashLeavesNoMemoryBehind() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            let crash = ClosureService {
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
                FileHandle.standardError.write(Data("core \(limit.rlim_cur) \(limit.rlim_max)\n".utf8))
                kill(getpid(), SIGTERM)
                try await gracefulShutdown()
            }
            await ServiceMain.run(
                "aqua-test", arguments: [], environment: ["AQUA_LISTEN": "127.0.0.1:0"], read: { _ in },
                build: { _, _ in [crash] })
        }
        let told = lines(result?.standardErrorContent)
        #expect(told.contains("core 0 0"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalStopsItWithExitCodeZero(signal: Int32) async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
            [signal] in
            let interrupt = ClosureService {
                kill(getpid(), signal)
                try await gracefulShutdown()
            }
            await ServiceMain.run(
                "aqua-test", arguments: [], environment: ["AQUA_LISTEN": "127.0.0.1:0"], read: { _ in },
                build: { _, _ in [interrupt] })
        }
        let messages = try logObjects(result?.standardOutputContent).compactMap { $0["message"] as? String }
        #expect(messages.filter { $0 != "Serving metrics and health" } == ["Stopping", "Stopped"])
    }

    @Test func anErrorIsLoggedOnceWithExitCodeOne() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
            await ServiceMain.run(
                "aqua-test", arguments: [],
                environment: ["AQUA_LISTEN": "127.0.0.1:0", "AQUA_GATEWAY_PORT_80_TCP": "tcp://10.0.0.1"],
                read: { _ in }, build: { _, _ in [ClosureService { throw ServiceTrouble.diskFull }] })
        }
        let objects = try logObjects(result?.standardOutputContent)
        #expect(objects.count { ($0["error"] as? String) == "diskFull" } == 1)
        #expect(objects.first?["variable"] as? String == "AQUA_GATEWAY_PORT_80_TCP")
        #expect(objects.allSatisfy { $0["service"] as? String == "aqua-test" })
    }

    @Test func aFailedStartIsToldWithExitCodeOne() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
            await ServiceMain.run(
                "aqua-test", arguments: [], environment: ["AQUA_LISTEN": "127.0.0.1:0"], read: { _ in },
                build: { _, _ in throw ServiceTrouble.diskFull })
        }
        let objects = try logObjects(result?.standardOutputContent)
        #expect(objects.map { $0["message"] as? String } == ["Cannot start"])
    }

    @Test func anUnknownArgumentIsRefused() async throws {
        let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
            await ServiceMain.run(
                "aqua-test", arguments: ["--help"], environment: [:], read: { _ in }, build: { _, _ in [] })
        }
        let told = lines(result?.standardErrorContent)
        #expect(told.contains("usage: aqua-test [health]"))
    }

    /// The lines of our own logger; a test process may print others.
    private func logObjects(_ bytes: [UInt8]?) throws -> [[String: Any]] {
        try lines(bytes).filter { $0.hasPrefix("{\"time\"") }.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }
}
