import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// A real Firefox (`Tests/Web/push/firefox.py`) gets a real alarm: it subscribes through the web app at the tests' own
    /// push service, which passes on the Notifier's messages, decrypts the message and shows it.
    @Suite struct FirefoxPushTests {
        private static let email = "haru@example.org"
        private static let password = "a quiet pond at four"
        private static let device = "tank-1"

        @Test func fromTheSwitchToAnAlertOnTheScreen() async throws {
            guard try await Self.hasBrowser() else {
                return withKnownIssue("There is no Firefox; deploy/test installs it") { Issue.record("not tried") }
            }
            let origin = "http://127.0.0.1:\(Ports.free())"
            let folder = Paths.repository.appending(path: "Services/Gateway/Web").path(percentEncoded: false)
            let settings = [
                "aqua-gateway": [
                    "AQUA_WEB_DIRECTORY": folder, "AQUA_SIGN_UP": "open", "AQUA_PUBLIC_URL": origin,
                    "AQUA_PEOPLE_LISTEN": String(origin.dropFirst(7)),
                ],
                "aqua-notifier": ["AQUA_PUBLIC_URL": origin, "AQUA_VAPID_SUBJECT": "mailto:ops@water.example.org"],
                "aqua-rules": ["AQUA_THROTTLE": "10ms", "AQUA_RECOVERY_DELAY": "10ms"],
            ]
            try await TestSystem.with(receiver: .http2, settings: settings) { system in
                try await PushService.with(system.sink) { push in
                    try system.startServices()
                    try system.start("aqua-gateway")
                    for program in TestSystem.services { try await system.process(program).untilReady() }
                    let visitor = PeopleClient(origin: try await system.process("aqua-gateway").servesPeople())
                    let tank = try await Self.person(visitor, system)
                    try await Self.visit(origin, push, tank, system)
                }
            }
        }

        /// A person who reads Japanese and degrees Fahrenheit, with a tank whose maximum is 75.2 °F.
        private static func person(_ visitor: PeopleClient, _ system: TestSystem) async throws -> Tank {
            try await visitor.succeed(
                "POST", "/accounts",
                json: #"{"email":"\#(email)","password":"\#(password)","language":"ja","timeZone":"Asia/Tokyo"}"#)
            let person = try await visitor.signedIn(email, password: password)
            let tank = try await Tank(system, device, linkedBy: person)
            let path = "/devices/\(device)/parameters/temperature"
            let tag = try #require(try await person.succeed("GET", path).tag)
            try await person.succeed(
                "PATCH", path, json: #"{"unit":"F","maximum":75.2}"#, headers: ["If-Match": tag])
            return tank
        }

        /// Does what the browser's script asks for, and answers once that is done.
        private static func visit(
            _ origin: String, _ push: PushService, _ tank: Tank, _ system: TestSystem
        ) async throws {
            let visit = try ProcessUnderTest.startConversation(
                Paths.python, [script, origin, push.url, email, password],
                environment: ["LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "HOME": system.path("home")])
            do {
                for await line in visit.output.stream() {
                    let words = line.split(separator: " ")
                    guard words.first == "ask", words.count > 1 else { continue }
                    try await answer(
                        String(words[1]), words.dropFirst(2).first.flatMap { Double($0) }, push, tank, system)
                    try visit.say("done")
                }
            } catch {
                await visit.stop()
                throw TestSupportError("\(error)\n\(push.record)\n\(visit.tail)")
            }
            let story = "\(visit.output.all.joined(separator: "\n"))\n\(visit.errors.tail(80))\n\(push.record)"
            #expect(await visit.end == .exit(0), "\(story)")
            #expect(push.record.refusals.isEmpty)
            #expect(push.record.acknowledged.allSatisfy { $0 == 100 }, "\(push.record.acknowledged)")
        }

        private static func answer(
            _ what: String, _ value: Double?, _ push: PushService, _ tank: Tank, _ system: TestSystem
        ) async throws {
            let alive = "SELECT count(*) = 1 FROM usable_endpoint WHERE channel = 'webPush'"
            switch what {
            case "publish":
                let before = push.record.accepted.count
                try await tank.publish(try #require(value))
                try await awaitFact("a message at the push service") {
                    push.record.accepted.count > before ? true : nil
                }
            case "calm":
                // An all-clear follows readings after its delay.
                let before = push.record.accepted.count
                try await awaitFact("an all-clear at the push service") {
                    guard push.record.accepted.count == before else { return true }
                    try await tank.publish(try #require(value))
                    return nil
                }
            case "silent":
                // Publishes a reading that opens an episode without a recipient.
                let before = push.record.accepted.count
                try await tank.publish(try #require(value))
                try await system.fact("SELECT count(*) = 1 FROM episode WHERE closed_at IS NULL AND no_recipient")
                try await system.fact("SELECT count(*) = 0 FROM evaluation_batch")
                #expect(push.record.accepted.count == before, "somebody who has signed out was told")
            case "subscribed":
                try await system.fact(alive)
                #expect(push.record.subscriptions == 1)
            case "forget":
                let former = try await system.database.sql("SELECT max(endpoint_id) FROM endpoint")
                push.forget()
                try await system.fact("\(alive) AND endpoint_id > \(former)")
                try await awaitFact("one subscription") { push.record.subscriptions == 1 ? true : nil }
            case "gone":
                try await system.fact("SELECT count(*) = 0 FROM usable_endpoint")
                try await awaitFact("no subscription") { push.record.subscriptions == 0 ? true : nil }
            default: throw TestSupportError("the browser asks for \(what)")
            }
        }

        private static let script = Paths.repository.appending(path: "Tests/Web/push/firefox.py").path(
            percentEncoded: false)

        private static func hasBrowser() async throws -> Bool {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/firefox-esr")
        }
    }
}
