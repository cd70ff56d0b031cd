import BrokerControl
import Foundation
import Logging
import People
import Postgres
import Secrets
import TestSupport
import Testing
import WaterQuality

@testable import Operator
@testable import Store

/// The enroller at a real database and a real broker. What it is asked stands in the tables as the Gateway's function writes it.
@Suite struct EnrollerTests {
    @Test func aDeviceIsMadeLinkedAndSealedForThePageThatAsked() async throws {
        try await EnrolmentScene.with { scene in
            let batch = try await scene.ask([scene.id(1), scene.id(2)])
            try await scene.make()
            #expect(try await scene.states(batch) == "made made")
            let shown = try await scene.opened(batch, 1)
            #expect(shown["id"] as? String == scene.id(1) && shown["user"] as? String == scene.id(1))
            #expect(shown["host"] as? String == "mqtt.example.org" && shown["port"] as? Int == 8_883)
            #expect(shown["tls"] as? Bool == true && shown["claimCode"] is NSNull && shown["httpUrl"] is NSNull)
            let password = try #require(shown["password"] as? String)
            try await scene.instance.connect(as: scene.id(1), password)
            #expect(
                try await scene.sql(
                    "SELECT concat_ws(' ', key_hash = sha256('\(password)'), enrolled_for) FROM device WHERE hardware_id = '\(scene.id(1))'"
                ) == "t \(scene.person)")
            #expect(
                try await scene.sql("SELECT string_agg(concat_ws(' ', account_id, role, name), ',') FROM ownership")
                    == "\(scene.person) owner Pond,\(scene.person) owner Pond")
            #expect(try await scene.sql("SELECT done_at IS NOT NULL FROM enrolment") == "t")
            // The log has it as the act of whoever asked, in their session.
            #expect(
                try await scene.sql(
                    """
                    SELECT string_agg(DISTINCT concat_ws(' ', action, actor, actor_id, session_id = '\(scene.session)'), ',' ORDER BY
                        concat_ws(' ', action, actor, actor_id, session_id = '\(scene.session)'))
                    FROM audit_entry WHERE action LIKE 'device.%'
                    """) == "device.add account \(scene.person) t,device.link account \(scene.person) t")
            // Other keys open nothing, and nothing in the database is the key.
            let sealed = try await scene.sealed(batch, 1)
            #expect(throws: (any Error).self) { try MessageKeys().open(sealed) }
            #expect(
                try await scene.sql("SELECT count(*) FROM enrolment_device d WHERE d::text LIKE '%\(password)%'") == "0"
            )
        }
    }

    @Test func aDeviceThatIsNobodysWaitsForItsClaimCode() async throws {
        try await EnrolmentScene.with { scene in
            let batch = try await scene.ask([scene.id(1)], links: false)
            try await scene.make()
            let code = try #require(try await scene.opened(batch, 1)["claimCode"] as? String)
            #expect(try await scene.sql("SELECT count(*) FROM ownership") == "0")
            try await scene.instance.succeed(
                scene.instance.aqua("device", "link", Instance.person, code, "--name", "Pond"))
        }
    }

    @Test func whatIsThereStaysAsItIs() async throws {
        try await EnrolmentScene.with { scene in
            let added = try await scene.instance.succeed(scene.instance.aqua("device", "add", scene.id(1), "--json"))
            let first = try await scene.ask([scene.id(2)])
            try await scene.make()
            let before = try await scene.sql("SELECT md5(string_agg(d::text, ',' ORDER BY device_id)) FROM device d")
            let batch = try await scene.ask([scene.id(1), scene.id(2)])
            try await scene.make()
            #expect(try await scene.states(batch) == "refused/taken known")
            #expect(
                try await scene.sql("SELECT md5(string_agg(d::text, ',' ORDER BY device_id)) FROM device d") == before)
            try await scene.instance.connect(as: scene.id(1), added.field("mqttPassword"))
            let password = try #require(try await scene.opened(first, 1)["password"] as? String)
            try await scene.instance.connect(as: scene.id(2), password)
        }
    }

    /// Squatting: an account at the broker that is no device's keeps its password and its roles.
    @Test func whoeverAsksForTheNameOfAnotherAccountGetsNothing() async throws {
        try await EnrolmentScene.with { scene in
            let name = scene.id(1)
            try await scene.instance.administer { try await $0.createClient(name, password: "of a bridge", roles: []) }
            let batch = try await scene.ask([name])
            try await scene.make()
            #expect(try await scene.states(batch) == "refused/account")
            #expect(try await scene.sql("SELECT count(*) FROM device") == "0")
            try await scene.instance.administer { security in
                let roles = try await security.client(name)?.roleNames
                #expect(roles == [])
            }
        }
    }

    /// A crash between the account and the row: the next attempt makes both good.
    @Test func whatWasLeftHalfWayIsTakenUp() async throws {
        try await EnrolmentScene.with { scene in
            let name = scene.id(1)
            try await scene.instance.administer {
                try await $0.createClient(name, password: "of an attempt that failed")
                try await $0.disableClient(name)
            }
            let batch = try await scene.ask([name])
            try await scene.make()
            try await scene.make()
            #expect(try await scene.states(batch) == "made")
            try await scene.instance.connect(
                as: name, try #require(try await scene.opened(batch, 1)["password"] as? String))
        }
    }

    @Test func aNewKeyEndsTheFormerOne() async throws {
        try await EnrolmentScene.with { scene in
            let first = try await scene.ask([scene.id(1)])
            try await scene.make()
            let former = try #require(try await scene.opened(first, 1)["password"] as? String)
            let batch = try await scene.ask([scene.id(1)], kind: "rotate")
            try await scene.make()
            let password = try #require(try await scene.opened(batch, 1)["password"] as? String)
            #expect(password != former)
            try await scene.instance.connect(as: scene.id(1), password)
            await #expect(throws: (any Error).self) { try await scene.instance.connect(as: scene.id(1), former) }
            #expect(
                try await scene.sql(
                    "SELECT concat_ws(' ', key_generation, key_hash = sha256('\(password)')) FROM device")
                    == "2 t")
            // The tool derives the same.
            let tool = try await scene.instance.succeed(
                scene.instance.aqua("device", "rotate-key", scene.id(1), "--json"))
            #expect(try tool.field("generation") == "3")
        }
    }

    /// A request whose session has ended since is not met: neither the account nor the row.
    @Test func whatAnEndedSessionAskedForIsNotMade() async throws {
        try await EnrolmentScene.with { scene in
            let batch = try await scene.ask([scene.id(1)])
            try await scene.sql("UPDATE session SET ended_at = now(), ended_because = 'signedOut'")
            try await scene.make()
            #expect(try await scene.states(batch) == "refused/withdrawn")
            #expect(try await scene.sql("SELECT count(*) FROM device") == "0")
            let name = scene.id(1)
            try await scene.instance.administer { security in
                let account = try await security.client(name)
                #expect(account == nil)
            }
        }
    }

    /// The row is refused after the account was made: the account goes, too.
    @Test func anAccountWithoutADeviceDoesNotStay() async throws {
        try await EnrolmentScene.with { scene in
            try await scene.sql("UPDATE growth_bound SET a_day = 1 WHERE held = 'ownership'")
            let batch = try await scene.ask([scene.id(1), scene.id(2)])
            try await scene.make()
            #expect(try await scene.states(batch) == "made refused/tooMany")
            let name = scene.id(2)
            try await scene.instance.administer { security in
                let account = try await security.client(name)
                #expect(account == nil)
            }
        }
    }

    /// Two ask for the same id at once, and the first of them is refused.
    @Test func anAccountStaysForWhoeverGotTheDevice() async throws {
        try await EnrolmentScene.with { scene in
            _ = try await scene.ask([scene.id(1)])
            try await scene.make()
            try await scene.sql("UPDATE growth_bound SET a_day = 1 WHERE held = 'ownership'")
            let other = try await scene.other()
            let refused = try await scene.ask([scene.id(2)])
            let made = try await other.ask([scene.id(2)])
            try await scene.make()
            let states = (try await scene.states(refused), try await scene.states(made))
            #expect(states.0 == "refused/tooMany" && states.1 == "made")
            let password = try #require(try await other.opened(made, 1)["password"] as? String)
            try await scene.instance.connect(as: scene.id(2), password)
        }
    }

    @Test func itSaysThatItIsThereAndStopsWhenItIsTold() async throws {
        try await EnrolmentScene.with { scene in
            _ = try await scene.ask([scene.id(1)])
            let context = OperatorContext(environment: scene.environment, console: .standard)
            try await EnrollerRun().run(in: context, logger: scene.logger) {
                _ = try? await awaitFact("the enroller") {
                    try await scene.sql(
                        """
                        SELECT concat_ws(' ', allowed, a_day, host, port, tls, (SELECT count(*) FROM device)) FROM enroller_state
                        """) == "people 1000 mqtt.example.org 8883 t 1" ? true : nil
                }
            }
            #expect(try await scene.sql("SELECT count(*) FROM enroller_state") == "1")
        }
    }

    @Test(arguments: [
        (["AQUA_DEVICE_MQTT_URL": nil], "AQUA_DEVICE_MQTT_URL is not set, and neither is AQUA_MQTT_DOMAIN"),
        (["AQUA_DEVICE_MQTT_URL": "mqtts://a.example,mqtts://b.example"], "AQUA_DEVICE_MQTT_URL"),
        (["AQUA_ENROLMENT": "everybody"], "AQUA_ENROLMENT"), (["AQUA_ENROLMENT_A_DAY": "0"], "AQUA_ENROLMENT_A_DAY"),
        (["AQUA_DEVICE_KEY_FILE": nil], "AQUA_DEVICE_KEY_FILE"),
    ]) func aWrongSettingEndsItAtOnce(_ changes: [String: String?], _ named: String) async throws {
        try await EnrolmentScene.with { scene in
            var environment = scene.environment
            for (name, value) in changes { environment[name] = value }
            let run = await runAqua(["enroller", "run"], environment: environment)
            #expect(run.code == 1 && run.errors.contains(named), "\(run.errors)")
        }
    }

    @Test func noListTakesTheNamesOfServices() {
        #expect(EnrolmentList.reservedPrefix == DynamicSecurity.reservedPrefix)
    }
}
