import Foundation
import Glibc
import TestSupport

extension Scene {
    /// Runs a notifier in a process of its own, for tests that treat it as no task would survive. Killed after `body`.
    func withNotifierProcess<Result>(_ body: (ProcessUnderTest) async throws -> Result) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            let key = directory.appending(path: "key").path(percentEncoded: false)
            _ = FileManager.default.createFile(
                atPath: key, contents: Data(Self.keyText.utf8), attributes: [.posixPermissions: 0o600])
            let process = try ProcessUnderTest.start(
                "aqua-notifier",
                environment: [
                    "AQUA_DATABASE_URL": database.url(.notifier),
                    "AQUA_DATABASE_PASSWORD_FILE": database.passwordFile(.notifier),
                    "AQUA_SECRET_KEY_FILE": key, "AQUA_LISTEN": "127.0.0.1:0",
                    "AQUA_PUSH_ALLOW": "127.0.0.0/8:\(sink.port)",
                ])
            do {
                let result = try await body(process)
                process.signal(SIGKILL)
                _ = await process.end
                return result
            } catch {
                process.signal(SIGKILL)
                _ = await process.end
                throw error
            }
        }
    }
}
