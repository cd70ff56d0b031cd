import Foundation
import Logging
import Mail
import Messaging
import Postgres
import PushTargets
import Secrets
import ServiceKit
import ServiceLifecycle
import Store
import TestSupport
import Testing
import WaterQuality
import Words

@testable import Notifier

/// A database with a person whose pond is too warm, a webhook receiver, and notifiers on demand.
struct Scene: Sendable {
    let database: TestDatabase
    let sink: WebhookSink
    let account: Int64

    static let keyText = String(repeating: "5a", count: 32)
    static let slot = 5

    static func with(
        _ transport: WebhookSink.Transport = .http1, _ body: @Sendable @escaping (Scene) async throws -> Void
    ) async throws {
        let server = try await TestCluster.shared.database
        try await server.withDatabase(template: "notifier", migrate: migrate) { database in
            try await WebhookSink.with(transport) { sink in
                try await body(Scene(database: database, sink: sink, account: try await person(database)))
            }
        }
    }

    private static func migrate(_ database: TestDatabase) async throws {
        let configuration = try PostgresConfiguration(
            url: database.url(.owner), password: database.password(.owner), applicationName: "notifier-tests")
        let connection = try await PostgresConnection.connect(configuration)
        _ = try await Schema.migrator().migrate(on: connection)
        await connection.close()
    }

    private static func person(_ database: TestDatabase) async throws -> Int64 {
        let text = try await database.sql(
            """
            WITH person AS (
                INSERT INTO account (email, password_hash, locale, time_zone)
                VALUES ('a@example.com', 'scrypt$', 'es', 'Europe/Madrid') RETURNING account_id
            ), probe AS (
                INSERT INTO device (slot, hardware_id, claim_code_hash)
                VALUES (\(slot), 'pond-1', decode(repeat('00', 32), 'hex')) RETURNING device_id
            ), owned AS (
                INSERT INTO ownership (slot, device_id, account_id, name)
                SELECT \(slot), device_id, account_id, 'Koi' FROM person, probe
            ), chosen AS (
                INSERT INTO setting (
                    slot, parameter, device_id, account_id, version, unit, minimum, maximum, colour, position)
                SELECT \(slot), 0, device_id, account_id, 1, 'F', 120, 240, 'red', 0 FROM person, probe
            )
            SELECT account_id FROM person
            """)
        return try #require(Int64(text))
    }

    /// A connection like a notifier's.
    func connect() async throws -> PostgresConnection {
        try await PostgresConnection.connect(
            PostgresConfiguration(
                url: database.url(.notifier), password: database.password(.notifier),
                applicationName: "notifier-tests"))
    }

    /// A single value from the database.
    func ask(_ query: String) async throws -> String {
        try await database.sql(query).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The endpoints to which an alert went.
    func places(of alert: Int) async throws -> String {
        try await ask(
            "SELECT string_agg(endpoint_id::text, ',' ORDER BY endpoint_id) FROM delivery WHERE alert_id = \(alert)")
    }

    /// Waits until a query gives this answer.
    func await(_ answer: String, _ query: String) async throws {
        try await awaitAnswer("\(answer) from \(query)") {
            try await ask(query)
        } where: {
            $0 == answer
        }
    }

    static var secret: WebhookSecret {
        get throws { try #require(WebhookSecret(bytes: Array(1...32))) }
    }

    static var key: SecretKey {
        get throws { try #require(SecretKey(keyText)) }
    }

    /// - Parameters:
    ///   - url: The address; one of the sink by default.
    ///   - isSealed: Whether the address is sealed, as this version's Gateway does.
    @discardableResult
    func endpoint(
        _ number: Int64, url: String? = nil, account: Int64? = nil, isSealed: Bool = true
    ) async throws -> Int64 {
        let address = url ?? sink.url(path: "/\(number)")
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: isSealed ? address : nil, secret: Self.secret.bytes), with: Self.key,
            channel: "webhook", number: number)
        let hexadecimal = sealed.bytes.map { String(format: "%02x", $0) }.joined()
        try await database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (\(number), \(account ?? self.account), 'webhook', '\(address)',
                '\\x\(hexadecimal)')
            """)
        return number
    }

    /// Registers a service as the Gateway does.
    func register(_ number: Int64, by channel: Endpoint.Channel, _ values: ServiceValues) async throws {
        let service = try #require(MessagingServices[channel: channel]).checked(values)
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: service.identity, secret: try values.stored()), with: Self.key,
            channel: channel.rawValue, number: number)
        let hexadecimal = sealed.bytes.map { String(format: "%02x", $0) }.joined()
        try await database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (\(number), \(account), '\(channel.rawValue)', '\(service.identity)', '\\x\(hexadecimal)')
            """)
    }

    /// Adds alarms of the pond, in an open episode; the last one has charged the throttle. A recovery ends the episode.
    /// - Parameter age: The seconds since their decision.
    func alarms(
        _ numbers: ClosedRange<Int> = 1...1, age: Int = 0, state: String = "decided", purpose: String = "alarm"
    ) async throws {
        let time = "now() - interval '\(age) s'"
        try await database.sql(
            """
            BEGIN;
            INSERT INTO episode (
                slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
            SELECT \(Self.slot), 0, device_id, \(account), \(numbers.lowerBound), 'range', 'high', \(time), \(time), 25.6,
                \(numbers.lowerBound)
            FROM device WHERE NOT EXISTS (SELECT FROM episode WHERE kind = 'range' AND closed_at IS NULL);
            UPDATE episode SET closed_at = last_at, closed_because = 'recovered'
            WHERE kind = 'range' AND closed_at IS NULL AND '\(purpose)' = 'recovery';
            INSERT INTO alert (
                slot, parameter, device_id, account_id, alert_id, episode_id, kind, purpose, side, value, worst,
                limit_value, opened_at, event_time, received_at, decided_at, state)
            SELECT \(Self.slot), 0, device_id, \(account), n, (SELECT max(episode_id) FROM episode WHERE kind = 'range'),
                'range', '\(purpose)', 'high', 25.6, 25.9, 24, \(time),
                \(time), \(time), \(time), '\(state)'
            FROM device, generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n;
            DELETE FROM throttle;
            INSERT INTO throttle (slot, parameter, device_id, account_id, kind, charged_at, alert_id)
            SELECT \(Self.slot), 0, device_id, \(account), 'range', \(time), \(numbers.upperBound) FROM device;
            SELECT pg_notify('alert', '');
            COMMIT
            """)
    }

    /// Adds an alert about a silence, or a fault, of the pond since noon of the first of May 2026.
    func silence(
        _ number: Int = 1, of parameter: Parameter? = nil, purpose: String = "alarm", isConnected: Bool = false,
        kind: Alert.Kind = .silence
    ) async throws {
        let column = parameter.map { "\($0.rawValue)" } ?? "NULL"
        try await database.sql(
            """
            BEGIN;
            INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at)
            SELECT \(Self.slot), device_id, \(column), \(account), 1, '\(kind.rawValue)', '2026-05-01T12:00:00Z', now() FROM device
            ON CONFLICT DO NOTHING;
            UPDATE episode SET closed_at = last_at, closed_because = 'recovered'
            WHERE episode_id = 1 AND '\(purpose)' = 'recovery';
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, check_probe, opened_at,
                event_time)
            SELECT \(Self.slot), device_id, \(column), \(account), \(number), 1, '\(kind.rawValue)', '\(purpose)', \(isConnected),
                '2026-05-01T12:00:00Z', now()
            FROM device;
            SELECT pg_notify('alert', '');
            COMMIT
            """)
    }

    /// Settings with quick retries and slow polling, so that only notifications start work.
    static var settings: NotifierSettings {
        var settings = NotifierSettings()
        settings.interval = .milliseconds(50)
        settings.schedule = RetrySchedule(first: .milliseconds(20), longest: .milliseconds(40))
        // On a busy machine every receiver is slow at times, which must delay nothing here.
        settings.slow = .seconds(600)
        return settings
    }

    /// Runs a notifier while `body` runs, and then stops it as SIGTERM does.
    func notifying<Result: Sendable>(
        _ settings: NotifierSettings = Scene.settings, allow: String? = nil, webPush: WebPushSettings? = nil,
        apns: APNsSettings? = nil, fcm: FCMSettings? = nil, origin: PublicOrigin? = nil, mail: MailServer? = nil,
        brand: Brand = .product,
        heartbeat: HeartbeatAddress? = nil, keys: Renewable<SecretKeys>? = nil,
        metrics: MetricsRegistry = MetricsRegistry(),
        _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "notifier-tests") { _ in SwiftLogNoOpLogHandler() }
        var configuration = NotifierConfiguration(
            database: DatabaseSettings(
                url: database.url(.notifier), password: Secret(try database.password(.notifier))),
            secretKeys: try keys ?? Renewable(SecretKeys(try Self.key)),
            allowed: try #require(PushAllowList(allow ?? "127.0.0.0/8:\(sink.port)")),
            authorityFile: sink.authorityFile, webPush: webPush, origin: origin, settings: settings)
        configuration.mail = mail
        configuration.brand = brand
        configuration.apns = apns
        configuration.fcm = fcm
        configuration.heartbeat = heartbeat
        let group = ServiceGroup(
            services: [try Notifier(configuration, Facilities(logger: logger, metrics: metrics))], logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                let result = try await body()
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return result
            } catch {
                tasks.cancelAll()
                throw error
            }
        }
    }
}
