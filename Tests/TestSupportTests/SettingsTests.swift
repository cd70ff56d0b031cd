import Foundation
import TestSupport
import Testing

/// `deploy/aqua` gives the tool the settings that `deploy/run` gave the services.
@Suite struct SettingsTests {
    /// Runs a script with the libraries that `deploy/aqua` sources.
    private func bash(_ script: String, _ environment: [String: String] = [:]) async throws -> [String] {
        let root = Paths.repository.path(percentEncoded: false)
        let source = """
            source "\(root)/deploy/lib/common.sh"
            for part in user packages ports postgres environment; do source "$ROOT/deploy/lib/$part.sh"; done
            AQUA_PORT_DATABASE=1 AQUA_PORT_MQTT=2 AQUA_PORT_MQTTS=3 AQUA_PORT_WEBHOOK=4 AQUA_PORT_PEOPLE=5
            """
        return try await ProcessUnderTest.run(
            "/bin/bash", ["-c", "\(source)\n\(script)"],
            environment: environment.merging(["PATH": "/usr/bin:/bin:/usr/sbin"]) { $1 }
        ).split(separator: "\n").map(String.init)
    }

    @Test func theToolKnowsWhatTheServicesWereTold() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "settings.env").path
            let told = [
                "AQUA_THROTTLE": "7m", "AQUA_SAMPLE_RETENTION": "30d", "AQUA_PUSH_ALLOW": "192.168.1.20/32:443",
                "AQUA_RECOVERY_DELAY": "1m", "SECRET": "x",
            ]
            _ = try await bash("remember_settings '\(file)'", told)
            let tool = try await bash("recall_settings '\(file)'; environment_of tool /state")
            for line in [
                "AQUA_THROTTLE=7m", "AQUA_SAMPLE_RETENTION=30d", "AQUA_RECOVERY_DELAY=1m",
                "AQUA_PUSH_ALLOW=127.0.0.1/32:4,192.168.1.20/32:443",
            ] {
                #expect(tool.contains(line), "\(line)")
            }
            #expect(!tool.contains("SECRET=x"))
            let own = try await bash(
                "recall_settings '\(file)'; environment_of tool /state", ["AQUA_THROTTLE": "9m"])
            #expect(own.contains("AQUA_THROTTLE=9m"), "what is set here counts")
        }
    }

    /// The services' user can write the file, so only settings are read from it.
    @Test func nothingElseIsTakenFromTheFile() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let file = directory.appending(path: "settings.env").path
            let told = try await bash(
                """
                printf '%s\\n' 'PATH=/evil' 'AQUA_THROTTLE=$(echo 3m)' 'LD_PRELOAD=/evil.so' 'a b=1' >'\(file)'
                recall_settings '\(file)'
                echo "$PATH|$AQUA_THROTTLE|${LD_PRELOAD:-}"
                """)
            #expect(told == ["/usr/bin:/bin:/usr/sbin|$(echo 3m)|"])
        }
    }
}
