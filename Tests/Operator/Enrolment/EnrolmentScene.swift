import Foundation
import Logging
import Postgres
import Secrets
import ServiceKit
import TestSupport
import WaterQuality

@testable import Operator
@testable import Store

/// An instance with a person who is signed in, and an enroller with its own role.
struct EnrolmentScene: Sendable {
    let instance: Instance
    let person: String
    let session: String
    let keys = MessageKeys()
    let logger = Logger(label: "enroller-tests") { _ in SwiftLogNoOpLogHandler() }

    static func with(_ body: @Sendable (EnrolmentScene) async throws -> Void) async throws {
        try await Instance.with { instance in
            let scene = try await of(Instance.person, in: instance)
            try await scene.connected { try await $0.perform(scene.settings().beat) }
            try await body(scene)
        }
    }

    private static func of(_ email: String, in instance: Instance) async throws -> EnrolmentScene {
        try await instance.addPeople(email)
        let person = try await instance.database.sql("SELECT account_id FROM account WHERE email = '\(email)'")
        let session = try await instance.database.sql(
            "INSERT INTO session (account_id, client, address) VALUES (\(person), 'test', '') RETURNING session_id")
        return EnrolmentScene(instance: instance, person: person, session: session)
    }

    /// The same instance for another person, who is signed in as well.
    func other() async throws -> EnrolmentScene { try await Self.of("ben@example.org", in: instance) }

    var environment: [String: String] {
        var environment = instance.environment
        environment["AQUA_DATABASE_URL"] = instance.database.url(.enroller)
        environment["AQUA_DATABASE_PASSWORD_FILE"] = instance.database.passwordFile(.enroller)
        environment["AQUA_DEVICE_MQTT_URL"] = "mqtts://mqtt.example.org"
        environment["AQUA_ENROLMENT"] = "people"
        return environment
    }

    private func settings() throws -> EnrollerSettings {
        try OperatorEnvironment(environment).require(EnrollerSettings.init)
    }

    private func connected(_ body: @Sendable (PostgresConnection) async throws -> Void) async throws {
        try await OperatorContext(environment: environment, console: .standard).withDatabase { try await body($0) }
    }

    /// The id of a device: those of other tests are at the same broker.
    func id(_ number: Int) -> String { "\(instance.device)-\(number)" }

    @discardableResult
    func sql(_ statements: String) async throws -> String { try await instance.database.sql(statements) }

    /// Asks as the Gateway's function does.
    /// - Returns: The id of the batch.
    func ask(_ ids: [String], kind: String = "make", links: Bool = true) async throws -> String {
        func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        let batch = try await sql(
            """
            INSERT INTO enrolment (account_id, made_by, made_in, kind, links, public_key, auth)
            VALUES (\(person), \(person), '\(session)', '\(kind)', \(links), '\\x\(hexadecimal(keys.publicKey))',
                '\\x\(hexadecimal(keys.secret))') RETURNING batch_id
            """)
        for (line, id) in ids.enumerated() {
            try await sql(
                "INSERT INTO enrolment_device (batch_id, line, hardware_id, name) VALUES ('\(batch)', \(line + 1), '\(id)', 'Pond')"
            )
        }
        return batch
    }

    /// Has the enroller make what waits, once.
    func make() async throws {
        let enroller = Enroller(
            settings: try settings(), context: OperatorContext(environment: environment, console: .standard),
            logger: logger)
        try await connected { try await enroller.makeWhatWaits($0) }
    }

    /// States of the devices of a batch in their order, with the reasons of refusals.
    func states(_ batch: String) async throws -> String {
        try await sql(
            "SELECT string_agg(concat_ws('/', state, reason), ' ' ORDER BY line) FROM enrolment_device WHERE batch_id = '\(batch)'"
        )
    }

    func sealed(_ batch: String, _ line: Int) async throws -> [UInt8] {
        let text = try await sql(
            "SELECT encode(sealed, 'hex') FROM enrolment_device WHERE batch_id = '\(batch)' AND line = \(line)")
        return stride(from: 0, to: text.count, by: 2).compactMap { offset in
            UInt8(text.dropFirst(offset).prefix(2), radix: 16)
        }
    }

    /// The sealed message, as the page that asked reads it.
    func opened(_ batch: String, _ line: Int) async throws -> [String: Any] {
        let text = try keys.open(try await sealed(batch, line))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
}
