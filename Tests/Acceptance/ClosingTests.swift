import Foundation
import Synchronization
import TestSupport
import Testing

extension WholeSystems {
    /// People close their accounts while everything is under way: readings flood in, an engine decides on them, a notifier
    /// delivers.
    @Suite struct ClosingTests {
        private static let password = "four random words here"

        /// A person with a device and an endpoint of their own.
        private struct Person: Sendable {
            let name: String
            let client: PeopleClient
            let tank: Tank
            var hook: String { "/\(name)" }

            init(_ name: String, _ visitor: PeopleClient, _ system: TestSystem) async throws {
                self.name = name
                let email = "\(name)@example.org"
                try await system.tool(["account", "add", email], input: password)
                try await system.tool([
                    "endpoint", "add", email, "--webhook", system.sink.url(path: "/\(name)"), "--json",
                ])
                client = try await visitor.signedIn(email, password: password)
                tank = try await Tank(system, "tank-\(name)", linkedBy: client)
            }

            func close() async throws -> PeopleClient.Answer {
                try await client.ask("POST", "/account/close", json: #"{"password":"\#(password)"}"#)
            }
        }

        @Test func severalWhoShareTheirDevicesCloseAtOnce() async throws {
            let settings = ["aqua-rules": ["AQUA_THROTTLE": "100ms", "AQUA_RECOVERY_DELAY": "1h"]]
            try await TestSystem.with(settings: settings) { system in
                system.sink.answer(then: .status(200))
                try system.startServices()
                try system.start("aqua-gateway")
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let visitor = PeopleClient(origin: try await system.process("aqua-gateway").servesPeople())
                let stays = try await Person("kim", visitor, system)
                var leaving: [Person] = []
                for name in ["ada", "bob", "eve", "joe"] { leaving.append(try await Person(name, visitor, system)) }
                // Each person watches the next one's device, and all of them watch the device of the one who stays.
                for (number, person) in leaving.enumerated() {
                    let next = leaving[(number + 1) % leaving.count]
                    try await next.tank.share(by: next.client, with: person.client)
                    try await stays.tank.share(by: stays.client, with: person.client)
                }
                try await leaving[0].tank.share(by: leaving[0].client, with: stays.client)
                try await Self.flooding((leaving + [stays]).map(\.tank)) {
                    try await Self.close(leaving, stays, system)
                }
                try await Self.expectNothingLeft(of: stays, system)
            }
        }

        private static func close(_ leaving: [Person], _ stays: Person, _ system: TestSystem) async throws {
            for person in leaving + [stays] { try await told(person, 3, system) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in leaving {
                    group.addTask {
                        let closed = try await person.close()
                        #expect(closed.status == 200, "\(person.name): \(closed.text)")
                        #expect(closed.text.contains(person.tank.device))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await system.database.sql("SELECT string_agg(email, ' ') FROM account") == "kim@example.org")
            for person in leaving { #expect(try await person.client.ask("GET", "/devices").status == 401) }
            // The person who stays still gets alerts: engine and notifier go on.
            try await told(stays, 5, system)
        }

        /// Waits until a person has got this many more alerts.
        private static func told(_ person: Person, _ count: Int, _ system: TestSystem) async throws {
            @Sendable func told() -> Int { system.sink.received.count { $0.path == person.hook } }
            let before = told()
            try await awaitFact("\(count) alerts at \(person.hook)") { told() >= before + count ? true : nil }
        }

        /// Publishes for every tank while `body` runs, mostly values out of range and now and then a good one: an alarm
        /// that is over at once is not told.
        private static func flooding(_ tanks: [Tank], _ body: () async throws -> Void) async throws {
            let isOver = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for tank in tanks {
                    group.addTask {
                        var turn = 0
                        while !isOver.isSet {
                            let isWell = turn % 8 == 7
                            try await tank.publish((0..<40).map { isWell && $0 >= 20 ? 20 : 39 })
                            turn += 1
                        }
                    }
                }
                do {
                    defer { isOver.set() }
                    try await body()
                }
                try await group.waitForAll()
            }
        }

        private static func expectNothingLeft(of stays: Person, _ system: TestSystem) async throws {
            try await system.settle(messages: 1)
            let kim = try await system.database.sql("SELECT account_id FROM account")
            let tables = try await system.database.sql(
                """
                SELECT string_agg(DISTINCT c.relname, ' ') FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
                """)
            #expect(tables.contains("ownership") && tables.contains("delivery"))
            let left = tables.split(separator: " ").map {
                ("\($0)", "SELECT count(*) FROM \($0) WHERE account_id <> \(kim)")
            }
            for (table, query) in left + orphans {
                #expect(try await system.database.sql(query) == "0", "\(table)")
            }
            // Readings that nobody may see any more are soon erased.
            try await system.fact("SELECT count(*) = 0 FROM erasure")
            for program in TestSystem.services + ["aqua-gateway"] {
                let errors = try system.process(program).output.all.filter { $0.contains(#""level":"error""#) }
                #expect(errors == [], "\(program)")
            }
        }

        /// Counts of rows without the row of their person.
        private static let orphans = [
            (
                "transition",
                """
                SELECT count(*) FROM transition t
                WHERE NOT EXISTS (SELECT FROM episode e WHERE e.slot = t.slot AND e.episode_id = t.episode_id)
                """
            ),
            (
                "delivery_attempt",
                """
                SELECT count(*) FROM delivery_attempt t WHERE NOT EXISTS (SELECT FROM delivery d
                    WHERE d.slot = t.slot AND d.alert_id = t.alert_id AND d.endpoint_id = t.endpoint_id)
                """
            ),
        ]
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
