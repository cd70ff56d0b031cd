import Foundation
import TestSupport
import Testing

/// The scripts of `deploy`, by their text.
@Suite struct ScriptTests {
    /// All lines about tests that began or passed are left out; everything else stays.
    @Test func theTestsCommandShowsNoFragments() async throws {
        let output = """
            ◇ Test case passing 1 argument sql → "SELECT 1
                FROM account
                WHERE x" to holds(_:) started.
            ✔ Test case passing 1 argument sql → "SELECT 1
                FROM account" to holds(_:) passed after 0.010 seconds.
            ✘ Test case passing 1 argument sql → "SELECT 2
                FROM device" to holds(_:) failed after 0.010 seconds with 1 issue.
            ↳ a is not b
            ◇ Suite A started.
            a program's word
            ✔ Test "a name" passed after 0.1 seconds with 1 known issue.
            ✔ Test run with 3 tests passed after 1.0 seconds.

            """
        let script = Paths.repository.appending(path: "Tests/Tools/unexpected.awk").path
        #expect(
            try await ProcessUnderTest.run("/usr/bin/awk", ["-f", script], input: output) == """
                ✘ Test case passing 1 argument sql → "SELECT 2
                    FROM device" to holds(_:) failed after 0.010 seconds with 1 issue.
                ↳ a is not b
                a program's word
                ✔ Test run with 3 tests passed after 1.0 seconds.
                """)
    }

    /// Two processes run the tests: whichever ends last, a failure closes the output, and nothing is told twice.
    @Test func theLastLineOfTheTestsIsThatOfAFailure() async throws {
        let output = """
            ◇ Test run started.
            ✘ Test aWalk() failed after 2.0 seconds with 1 issue.
            ✘ Test run with 2 tests in 1 suite failed after 3.0 seconds with 1 issue.
            ✔ Test "a name" passed after 0.1 seconds.
            ✔ Test run with 30 tests in 4 suites passed after 4.0 seconds.
            ✘ Test aWalk() failed after 2.0 seconds with 1 issue.

            """
        let script = Paths.repository.appending(path: "Tests/Tools/outcome.awk").path
        #expect(
            try await ProcessUnderTest.run("/usr/bin/awk", ["-f", script], input: output) == """
                ✔ Test run with 30 tests in 4 suites passed after 4.0 seconds.
                ✘ Test aWalk() failed after 2.0 seconds with 1 issue.
                ✘ Test run with 2 tests in 1 suite failed after 3.0 seconds with 1 issue.
                """)
    }

    /// The output shows the progress of a build and the compiler's messages, but no single steps.
    @Test func aBuildTellsHowFarItIs() async throws {
        let steps = (1...100).map { "[\($0)/100] Compiling Store File\($0).swift" }
        let lines = ["Building for production..."] + steps + ["File.swift:1:2: error: no such thing", ""]
        let script = Paths.repository.appending(path: "deploy/lib/progress.awk").path
        let told = try await ProcessUnderTest.run(
            "/usr/bin/awk", ["-v", "name=aqua", "-f", script], input: lines.joined(separator: "\n")
        ).split(separator: "\n")
        #expect(told.count == 22 && told.contains("    aqua: 50 of 100 steps"))
        #expect(told.last == "File.swift:1:2: error: no such thing")
    }

    /// The installation that proves a backup publishes nothing, reaches nobody and sends no alerts: only then may it
    /// run beside production.
    @Test func aBackupIsProvenBehindWalls() throws {
        let file = Paths.repository.appending(path: "deploy/compose/check.yml")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.contains("#") }
        for word in ["ports:", "external", "notifier:", "ingestor:", "gateway:", "broker:8", "extends"] {
            #expect(!lines.contains { $0.contains(word) }, "\(word)")
        }
        #expect(lines.contains("  data: {internal: true}"))
        let services = lines.filter { $0.starts(with: #/  [a-z]+:$/#) }
        #expect(services == ["  setup:", "  database:", "  roles:", "  aqua:"])
    }

    /// The repository's top level holds its parts and nothing else: no build products, no notes.
    @Test func theTopLevelIsThePartsAlone() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Paths.repository.path)
        #expect(
            Set(names.filter { !$0.hasPrefix(".") }).subtracting(["Package.resolved"]) == [
                "Package.swift", "README.md", "Services", "Shared", "Tests", "deploy", "docker-compose.yml",
            ])
    }

    /// Everybody on a machine can read the arguments of its processes.
    @Test func noSecretIsAnArgument() throws {
        let options = try Regex(
            #"(mosquitto_\w+.* (-P|--pw|-b)\b)|(--(password|key|token|secret)[ =]["']?\$[({]?[a-z_]+[)}]?["']?(\s|$))|((psql|createdb|pg_\w+).*password=)"#
        )
        var count = 0
        for folder in ["deploy", "Tests/Tools"] {
            let folder = Paths.repository.appending(path: folder)
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files {
                guard let text = try? String(contentsOf: file, encoding: .utf8),
                    text.hasPrefix("#!")
                        || ["lib", "Tools"].contains(file.deletingLastPathComponent().lastPathComponent)
                else { continue }
                count += 1
                for line in text.split(separator: "\n") where line.contains(options) {
                    Issue.record("\(file.lastPathComponent): \(line)")
                }
            }
        }
        #expect(count > 15)
    }
}
