import Foundation
import TestSupport
import Testing

/// The scripts of `deploy`, by their text.
@Suite struct ScriptTests {
    /// Everybody on a machine can read the arguments of its processes. What checks the compose file plays devices, with keys of its own.
    @Test func noSecretIsAnArgument() throws {
        let deploy = Paths.repository.appending(path: "deploy")
        let options = try Regex(
            #"(mosquitto_\w+.* (-P|--pw|-b)\b)|(--(password|key|token|secret)[ =]["']?\$[({]?[a-z_]+[)}]?["']?(\s|$))|((psql|createdb|pg_\w+).*password=)"#
        )
        var count = 0
        let files = try #require(FileManager.default.enumerator(at: deploy, includingPropertiesForKeys: nil))
        for case let file as URL in files {
            guard let text = try? String(contentsOf: file, encoding: .utf8),
                text.hasPrefix("#!") || file.path.contains("/lib/"),
                file.lastPathComponent != "compose-checks.sh"
            else { continue }
            count += 1
            for line in text.split(separator: "\n") where line.contains(options) {
                Issue.record("\(file.lastPathComponent): \(line)")
            }
        }
        #expect(count > 15)
    }
}
