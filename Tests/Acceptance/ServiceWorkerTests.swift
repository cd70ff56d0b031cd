import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// The web app's service worker in a real Chromium (`Tests/Web/push/worker.py`), with a real Gateway and Notifier:
    /// which notification it shows for which message, and how it registers a subscription that the browser changed.
    @Suite struct ServiceWorkerTests {
        @Test func messagesAndChangedSubscriptions() async throws {
            guard try await Self.hasBrowser() else {
                return withKnownIssue("There is no Chromium or no playwright; deploy/test installs both") {
                    Issue.record("not tried")
                }
            }
            let folder = Paths.repository.appending(path: "Services/Gateway/Web").path(percentEncoded: false)
            let settings = ["aqua-gateway": ["AQUA_WEB_DIRECTORY": folder, "AQUA_SIGN_UP": "open"]]
            try await TestSystem.with(settings: settings) { system in
                for program in ["aqua-notifier", "aqua-gateway"] { try system.start(program) }
                try await system.process("aqua-notifier").untilReady()
                // The Notifier announces the key with which browsers may subscribe.
                try await system.fact("SELECT count(*) = 1 FROM vapid_key")
                let visitor = PeopleClient(origin: try await system.process("aqua-gateway").servesPeople())
                let (email, password) = ("ana@example.org", "a quiet pond at four")
                try await visitor.succeed(
                    "POST", "/accounts", json: #"{"email":"\#(email)","password":"\#(password)","language":"en"}"#)
                let visit = try ProcessUnderTest.start(
                    Paths.python,
                    [Self.script, visitor.origin, "https://127.0.0.1:\(system.sink.port)", email, password],
                    environment: ["LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "HOME": system.path("home")])
                let end = await visit.end
                #expect(end == .exit(0), "\(visit.output.all.joined(separator: "\n"))\n\(visit.errors.tail(80))")
            }
        }

        private static let script = Paths.repository.appending(path: "Tests/Web/push/worker.py").path(
            percentEncoded: false)

        private static func hasBrowser() async throws -> Bool {
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium") else { return false }
            let check = try ProcessUnderTest.start(Paths.python, ["-c", "import playwright"])
            return await check.end == .exit(0)
        }
    }
}
