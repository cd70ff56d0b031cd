import Backoff
import BrokerControl
import Instants
import Logging
import MQTT
import People
import Postgres
import Secrets
import ServiceKit
import Store
import WaterQuality
import WebPush

/// Makes what people ask for. The account at the broker comes before the row: an account without a row is harmless, and the next attempt replaces it.
///
/// Every step can be repeated at any point: passwords are derived, and a device waits until its row is written. Two enrollers at once do the same twice.
struct Enroller: Sendable {
    let settings: EnrollerSettings
    let context: OperatorContext
    let logger: Logger
    /// Times between two looks for what waits, and between two signs of life.
    var pace: (look: Duration, beat: Duration) = (.seconds(1), .seconds(10))
    var backoff = Backoff(base: .seconds(1), cap: .seconds(30), jitter: .half)

    /// Devices that are made at once.
    private static let handful = 10

    /// Works until it is cancelled.
    func run() async throws {
        try await keepTrying("enrolling devices", backoff: backoff, logger: logger) { outage in
            try await context.withDatabase(settings.database) { connection in
                try await work(on: connection, outage)
            }
        }
    }

    private func work(on connection: PostgresConnection, _ outage: Outage) async throws {
        var beatAt: ContinuousClock.Instant?
        while true {
            // Waiting devices come before the beat: an enroller that cannot reach the broker falls silent, and no more is asked of it.
            try await makeWhatWaits(connection)
            if beatAt.map({ $0.duration(to: .now) >= pace.beat }) ?? true {
                try await connection.perform(settings.beat)
                beatAt = .now
                outage.end()
            }
            try await Task.sleep(for: pace.look)
        }
    }

    /// Makes all that waits, a handful at a time.
    func makeWhatWaits(_ connection: PostgresConnection) async throws {
        let first = try await connection.execute(TakeEnrolments(limit: Self.handful))
        guard !first.isEmpty else { return }
        try await DynamicSecurity.with(firstOf: settings.brokers) { security in
            var (devices, beatAt) = (first, ContinuousClock.now)
            while !devices.isEmpty {
                let begun = ContinuousClock.now
                try await make(devices, security, connection)
                if beatAt.duration(to: .now) >= pace.beat {
                    try await connection.perform(settings.beat)
                    beatAt = .now
                }
                // The broker writes all accounts for each that is made: half of the time it does something else.
                try await Task.sleep(for: begun.duration(to: .now))
                devices = try await connection.execute(TakeEnrolments(limit: Self.handful))
            }
        }
    }

    private func make(
        _ devices: [AskedDevice], _ security: DynamicSecurity, _ connection: PostgresConnection
    ) async throws {
        let fresh = devices.filter { $0.step == .make }.map {
            (user: $0.hardwareID, password: firstPassword(of: $0.hardwareID))
        }
        let foreign = try await security.makeDevices(fresh)
        var (made, leftOver): (Set<String>, Set<String>) = ([], [])
        for device in devices {
            switch device.step {
            case .settle(let reason): try await connection.perform(SettleEnrolment(device.place, reason))
            case .make where foreign.contains(device.hardwareID):
                try await connection.perform(SettleEnrolment(device.place, .account))
            case .make:
                let outcome = try await enrol(device, connection)
                if outcome == .made { made.insert(device.hardwareID) }
                if outcome.leavesAccount { leftOver.insert(device.hardwareID) }
            case .renew(let generation): try await renewKey(of: device, to: generation, security, connection)
            }
        }
        // An id that two asked for at once may be the other's.
        leftOver.subtract(made)
        if !leftOver.isEmpty { try await security.deleteClients(leftOver.sorted()) }
        logger.info("Looked after devices that were asked for", [.count: "\(devices.count)"])
    }

    private func enrol(_ device: AskedDevice, _ connection: PostgresConnection) async throws -> EnrolmentOutcome {
        guard let (id, page) = device.addressee else {
            try await connection.perform(SettleEnrolment(device.place, .withdrawn))
            return .withdrawn
        }
        let password = firstPassword(of: id.text)
        // Of a device that is its owner's at once nobody is told the code.
        let code = ClaimCode.generate()
        let sealed = try settings.credentials(of: id, password, claimCode: device.links ? nil : code).sealed(for: page)
        return try await connection.execute(
            EnrolDevice(
                place: device.place, slot: Slot(of: id), claimCode: code.stored(under: settings.secretKeys.newest),
                keyID: "\(settings.keys.newest)", keyHash: DeviceKeyHash(of: password).bytes, sealed: sealed,
                defaults: .starting(with: device.preset.flatMap(Preset.init(rawValue:))))
        ).first ?? .gone
    }

    /// Changes the account before the row: if the rest fails, the next attempt derives the same password again.
    private func renewKey(
        of device: AskedDevice, to generation: Int32, _ security: DynamicSecurity, _ connection: PostgresConnection
    ) async throws {
        guard let (id, page) = device.addressee else {
            try await connection.perform(SettleEnrolment(device.place, .withdrawn))
            return
        }
        let password = settings.keys.password(hardwareID: id.text, generation: generation)
        try await security.renewPassword(password, of: id.text)
        let sealed = try settings.credentials(of: id, password, claimCode: nil).sealed(for: page)
        try await connection.perform(
            RekeyDevice(
                place: device.place, generation: generation, keyID: "\(settings.keys.newest)",
                keyHash: DeviceKeyHash(of: password).bytes, sealed: sealed))
    }

    private func firstPassword(of user: String) -> String { settings.keys.password(hardwareID: user, generation: 1) }
}

extension AskedDevice {
    /// The work that it takes.
    enum Step: Equatable, Sendable {
        case make
        /// Gives it the key of a generation.
        case renew(Int32)
        /// Makes nothing; without a reason it is known.
        case settle(Enrolment.Reason?)
    }

    var step: Step {
        switch (kind, standing) {
        case (.make, .new): .make
        case (.make, .known): .settle(nil)
        case (.rotate, .own): generation.map { Step.renew($0 + 1) } ?? .settle(.taken)
        case (_, .withdrawn): .settle(.withdrawn)
        case (.make, .taken), (.make, .own), (.rotate, .taken), (.rotate, .new), (.rotate, .known): .settle(.taken)
        }
    }

    /// The device's id, and the page for which what is made is sealed; nil where the Gateway has let something pass that is none.
    fileprivate var addressee: (Device.HardwareID, SubscriptionKeys)? {
        guard let id = Device.HardwareID(hardwareID), let page = SubscriptionKeys(stored: pageKeys) else { return nil }
        return (id, page)
    }
}

extension EnrollerSettings {
    var beat: BeatEnroller {
        BeatEnroller(
            allowed: allowed.rawValue, mostADay: Int32(mostADay), hosts: listener.hosts, port: Int32(listener.port),
            usesTLS: listener.usesTLS, httpOrigin: http?.text, authority: authority)
    }

    func credentials(of id: Device.HardwareID, _ password: String, claimCode: ClaimCode?) -> DeviceCredentials {
        DeviceCredentials(
            id: id.text, user: id.text, password: password, host: listener.host(of: Slot(of: id)), port: listener.port,
            tls: listener.usesTLS, httpUrl: http?.readings(of: id), claimCode: claimCode.map { "\($0)" })
    }
}
