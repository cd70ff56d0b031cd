import NIOHTTP1
import Postgres
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Closing an account needs the password again, and leaves nothing.
@Suite(.timeLimit(.minutes(10))) struct CloseAccountTests {
    private static let path = "/api/v1/account/close"

    private func password(_ text: String) -> JSON { .object([.init("password", .string(text))]) }

    @Test func aClosedAccountIsGoneAndItsDevicesAreFree() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.link("tank-1", to: bob, role: "watcher")
            let token = try await gateway.personalToken(anna, scope: "write")
            let wrong = try await gateway.request(.POST, Self.path, anna, json: password("not my password at all"))
            #expect(wrong.status >= 400 && wrong.code == "wrong-password")
            #expect(try await gateway.ask("SELECT count(*) FROM account") == "2")

            let closed = try await gateway.request(
                .POST, Self.path, anna, json: password(GatewayUnderTest.Person.password))
            #expect(closed.status == 200)
            #expect(closed.json?["devices"]?[0]?["device"]?.string == "tank-1")
            #expect(closed.json?["devices"]?[0]?["claimCode"]?.string?.isEmpty == false)
            #expect(try await gateway.ask("SELECT string_agg(email, ',') FROM account") == "bob@example.com")
            #expect(try await gateway.ask("SELECT count(*) FROM ownership WHERE unlinked_at IS NULL") == "0")
            #expect(try await gateway.request(.GET, "/api/v1/account", anna).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", bob).status == 200)

            // The displayed code links the device again.
            let code = try #require(closed.json?["devices"]?[0]?["claimCode"]?.string)
            let linked = try await gateway.request(
                .POST, "/api/v1/devices", bob,
                json: .object([.init("claimCode", .string(code)), .init("name", .string("Koi"))]))
            #expect(linked.status == 201)
        }
    }

    /// Each owns a device and watches the other's: each transaction has begun when it needs a lock of the other, and
    /// the server aborts one.
    @Test func twoWhoShareTheirDevicesCloseAtOnce() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            for (device, owner, watcher) in [("tank-1", anna, bob), ("tank-2", bob, anna)] {
                try await gateway.link(device, to: owner)
                try await gateway.link(device, to: watcher, role: "watcher")
            }
            #expect(try await gateway.ask("SELECT count(DISTINCT slot) FROM device") == "2")
            let held = "SELECT FROM ownership WHERE role = 'owner' ORDER BY slot FOR UPDATE"
            try await closed([anna, bob], while: held, in: gateway)
        }
    }

    @Test(arguments: [true, false]) func ownerAndWatcherCloseAtOnce(ownerFirst: Bool) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.link("tank-1", to: bob, role: "watcher")
            let held = "SELECT FROM slot WHERE slot IN (SELECT slot FROM device) FOR UPDATE"
            try await closed(ownerFirst ? [anna, bob] : [bob, anna], while: held, in: gateway)
        }
    }

    /// Closes both accounts while these rows are locked, the second once the first is waiting; then releases the rows.
    private func closed(
        _ people: [GatewayUnderTest.Person], while rows: String, in gateway: GatewayUnderTest
    ) async throws {
        let holder = try await gateway.connect(.owner)
        try await holder.executeScript("SET idle_in_transaction_session_timeout = 0; BEGIN; \(rows)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    let closed = try await gateway.request(
                        .POST, Self.path, person, json: password(GatewayUnderTest.Person.password))
                    #expect(closed.status == 200, "\(person.email): \(closed.text)")
                }
                try await awaitFact("\(person.email) waiting") {
                    try await gateway.ask(
                        """
                        SELECT count(*) > \(number) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """) == "t" ? true : nil
                }
            }
            try await holder.executeScript("COMMIT")
            try await group.waitForAll()
        }
        await holder.close()
        #expect(try await gateway.rowsOfPeople() == [:])
        #expect(try await gateway.ask("SELECT count(*) FROM account") == "0")
    }

    @Test func aPersonalTokenClosesNothing() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let token = try await gateway.personalToken(anna, scope: "write")
            let refused = try await gateway.request(
                .POST, Self.path, token: token, json: password(GatewayUnderTest.Person.password))
            #expect(refused.status == 403)
            #expect(try await gateway.ask("SELECT count(*) FROM account") == "1")
        }
    }
}
