import Foundation
import Glibc
import TestSupport
import Testing

/// `deploy/lib/supervise`: whatever the order of requests, the last one decides whether a child runs.
@Suite struct SuperviseTests {
    @Test func whatWasWantedLastIsSo() async throws {
        try await Supervised.with("echo started; exec sleep 600") { supervised in
            try await supervised.awaitStarts(1)
            var generator = SeededGenerator(seed: 11)
            for _ in 0..<10 {
                for _ in 0..<20 { try supervised.want(Bool.random(using: &generator)) }
                try supervised.want(false)
                try await awaitFact("no child") { supervised.children.isEmpty ? true : nil }
                for _ in 0..<20 { try supervised.want(Bool.random(using: &generator)) }
                try supervised.want(true)
                try await awaitFact("a child") { supervised.children.count == 1 ? true : nil }
            }
        }
    }

    @Test func whoIsWantedAgainBeforeTheEndEndsAndStarts() async throws {
        let slow = """
            trap 'echo told; until [[ -e $LEAVE ]]; do sleep 0.01; done; exit' TERM
            echo started; while :; do sleep 0.01; done
            """
        try await Supervised.with(slow) { supervised in
            try await supervised.awaitStarts(1)
            try supervised.want(false)
            try await supervised.awaitLine("told")
            try supervised.want(true)
            #expect(supervised.starts == 1)
            try supervised.allowToLeave()
            try await supervised.awaitStarts(2)
        }
    }

    @Test func whoDoesNotEndIsKilled() async throws {
        let stubborn = "trap 'echo told' TERM; echo started; while :; do sleep 0.01; done"
        try await Supervised.with(stubborn, grace: 1) { supervised in
            try await supervised.awaitStarts(1)
            try supervised.want(false)
            // On a busy machine the grace may be over before the child can report the signal.
            try await awaitFact("told") {
                supervised.lines.contains("told") || supervised.children.isEmpty ? true : nil
            }
            try supervised.want(true)
            try await supervised.awaitStarts(2)
            try supervised.want(false)
            try await awaitFact("no child") { supervised.children.isEmpty ? true : nil }
        }
    }

    @Test func whoEndsIsStartedAgain() async throws {
        try await Supervised.with("echo started; exit 3") { supervised in
            try await supervised.process.line { $0.contains("broker ended (status 3); starting it again in 1 s.") }
            try await supervised.awaitStarts(2)
            // The pause has doubled by now; the signal ends it.
            try await supervised.process.line { $0.contains("in 2 s.") }
            try supervised.want(true)
            try await supervised.awaitStarts(3)
        }
    }
}

/// A small script and its supervisor.
private struct Supervised: Sendable {
    let process: ProcessUnderTest
    private let log: String
    private let leave: String

    /// - Parameter script: The child's program. It prints "started" when it is ready for signals; `LEAVE` names a file
    ///   that does not exist yet.
    static func with(
        _ script: String, grace: Int = 600, _ body: @Sendable (Supervised) async throws -> Void
    ) async throws {
        try await Paths.withTemporaryDirectory { directory in
            func path(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }
            let process = try ProcessUnderTest.start(
                Paths.repository.appending(path: "deploy/lib/supervise").path(percentEncoded: false),
                [
                    "broker", "TERM", "\(grace)", path("log"), "/usr/bin/setpriv", "--pdeathsig", "KILL", "--",
                    "/bin/bash", "-c", script,
                ], environment: ["LEAVE": path("leave")])
            let supervised = Supervised(process: process, log: path("log"), leave: path("leave"))
            do {
                try await body(supervised)
                try supervised.allowToLeave()
                #expect(await process.stop() == .exit(0))
                #expect(supervised.children.isEmpty)
            } catch {
                await process.stop()
                throw error
            }
        }
    }

    func want(_ isWanted: Bool) throws {
        if isWanted {
            try? FileManager.default.removeItem(atPath: "\(log).down")
        } else {
            try Data().write(to: URL(filePath: "\(log).down"))
        }
        process.signal(SIGUSR1)
    }

    func allowToLeave() throws { try Data().write(to: URL(filePath: leave)) }

    var lines: [Substring] {
        ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n")
    }

    var starts: Int { lines.count { $0 == "started" } }

    func awaitStarts(_ count: Int) async throws {
        try await awaitFact("start \(count)") { starts >= count ? true : nil }
    }

    func awaitLine(_ line: Substring) async throws {
        try await awaitFact(String(line)) { lines.contains(line) ? true : nil }
    }

    /// The supervisor's children that it has not waited for.
    var children: [Substring] {
        ((try? String(contentsOfFile: "/proc/\(process.pid)/task/\(process.pid)/children", encoding: .utf8)) ?? "")
            .split(separator: " ")
    }
}
