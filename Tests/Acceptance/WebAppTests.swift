import Foundation
import TestSupport
import Testing

/// A person's way through the web app, in a real browser (`Tests/Web/browser.py`), with the real programs and a probe.
@Suite struct WebAppTests {
    private static let device = "tank-1"

    @Test func fromSigningUpToSigningOut() async throws {
        guard try await Self.hasBrowser() else {
            return withKnownIssue("There is no Chromium or no playwright; deploy/test installs both") {
                Issue.record("not tried")
            }
        }
        let folder = Paths.repository.appending(path: "Services/Gateway/Web").path(percentEncoded: false)
        let settings = [
            "aqua-gateway": ["AQUA_WEB_DIRECTORY": folder, "AQUA_SIGN_UP": "open"],
            "aqua-rules": ["AQUA_RECOVERY_DELAY": "1h"],
        ]
        try await TestSystem.with(settings: settings) { system in
            try system.startServices()
            try system.start("aqua-gateway")
            for program in TestSystem.services { try await system.process(program).untilReady() }
            let origin = try await system.process("aqua-gateway").servesPeople()
            let added = try await system.tool(["device", "add", Self.device, "--json"])
            let password = try system.field("mqttPassword", of: added)
            let visit = try ProcessUnderTest.start(
                Paths.python, [Self.script, "\(origin)", try system.field("claimCode", of: added), Self.device],
                environment: ["LC_ALL": "C.UTF-8", "HOME": system.path("home")])
            for await line in visit.output.stream() {
                if line.hasPrefix("endpoint ") {
                    let email = String(line.dropFirst(9))
                    try await system.tool(["endpoint", "add", email, "--webhook", system.sink.url()])
                }
                guard line.hasPrefix("publish "), let value = Double(line.dropFirst(8)) else { continue }
                let time = Date().timeIntervalSince1970
                try await system.cluster.broker.publish(
                    [#"{"time":\#(time),"temperature":\#(value)}"#], as: Self.device, password: password,
                    to: "aqua/v1/\(Self.device)/readings")
            }
            #expect(
                await visit.end == .exit(0), "\(visit.output.all.joined(separator: "\n"))\n\(visit.errors.tail(80))")
        }
    }

    private static let script = Paths.repository.appending(path: "Tests/Web/browser.py").path(percentEncoded: false)

    private static func hasBrowser() async throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium") else { return false }
        let check = try ProcessUnderTest.start(Paths.python, ["-c", "import playwright, axe_playwright_python"])
        return await check.end == .exit(0)
    }
}
