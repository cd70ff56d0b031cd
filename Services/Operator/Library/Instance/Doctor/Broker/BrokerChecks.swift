import BrokerControl
import Instants
import MQTT
import MQTTFleet
import ServiceKit
import WaterQuality

/// Looks at the broker as its administrator, as a device and as a stranger.
struct BrokerChecks {
    /// Settings with a single address.
    let settings: BrokerSettings
    /// A device to log in as, one not heard lately; nil where there is no such device or no master key.
    let device: (id: Device.HardwareID, access: DeviceAccess)?
    /// The device ids of the database; nil if it could not be read.
    let devices: [String]?
    let clock: WallClock

    static let topic = "broker"
    /// More names than these are only counted.
    private static let mostNamed = 20

    var configuration: MQTTConfiguration { MQTTConfiguration.all(settings, timeout: .seconds(5))[0] }

    func run() async -> [Finding] {
        var findings = await certificate()
        do {
            let users = try await DynamicSecurity.with(configuration) { try await $0.listClients() }
            findings.append(
                .ok(Self.topic, "\(configuration.endpoint) answers, and \(settings.user) manages its users"))
            findings += compare(users.map(\.username))
            findings += sessions(users)
            findings += await limits()
            findings += await losses()
            findings += await deviceRights(users.map(\.username))
        } catch {
            findings.append(.unreachable(Self.topic, error))
        }
        return findings + (await anonymousAccess())
    }

    private func compare(_ users: [String]) -> [Finding] {
        guard let devices else {
            return [.skipped(Self.topic, "its device accounts, for the devices could not be read")]
        }
        let missing = Set(devices).subtracting(users).sorted()
        let strangers = Set(users).subtracting(devices).filter { !DynamicSecurity.isService($0) }.sorted()
        var findings: [Finding] = missing.prefix(Self.mostNamed).map { device in
            .wrong(
                Self.topic, "device \(device) has no account there and cannot connect",
                mend: "Run: aqua device add \(device)")
        }
        if missing.count > Self.mostNamed {
            findings.append(
                .wrong(
                    Self.topic, "\(missing.count - Self.mostNamed) more devices have no account there",
                    mend: "Was the broker's directory lost? Run: aqua broker refill"))
        }
        if missing.isEmpty {
            findings.append(.ok(Self.topic, "it has an account for each of the \(devices.count) devices"))
        }
        if !strangers.isEmpty {
            let names = strangers.prefix(Self.mostNamed).joined(separator: ", ")
            findings.append(
                .notice(
                    Self.topic, "it has accounts that are no devices of this database: \(names)",
                    mend:
                        "aqua device add replaces one that is left over from a failed attempt; remove others with mosquitto_ctrl."
                ))
        }
        return findings
    }

    /// Whether each device may use its own id alone as client id. A device that may use any client id can take over
    /// every session.
    private func sessions(_ users: [DynamicSecurity.Client]) -> [Finding] {
        let known = devices.map(Set.init)
        let unbound = users.filter(\.isUnboundDevice).map(\.username).filter { known?.contains($0) ?? true }.sorted()
        guard let first = unbound.first else {
            return [.ok(Self.topic, "it lets each device in under its own client id alone")]
        }
        return [
            .wrong(
                Self.topic,
                "\(unbound.count) device accounts (\(first) for one) may use any client id, and with it the session of others",
                mend:
                    "Run: aqua migrate. Firmware that connects with another client id than its device's id is refused from then on."
            )
        ]
    }

    /// Tries to connect without credentials.
    private func anonymousAccess() async -> [Finding] {
        var stranger = configuration
        stranger.credentials = nil
        let attempt = stranger
        do {
            try await MQTTFleet.with { fleet in _ = try await fleet.add(attempt) }
            return [
                .wrong(
                    Self.topic, "it lets anybody in without a name and password",
                    mend: "Set allow_anonymous false in mosquitto.conf and restart it.")
            ]
        } catch let error as MQTTError {
            guard case .connectionRefused = error.code else {
                return [.skipped(Self.topic, "anonymous access could not be tried: \(error)")]
            }
            return [.ok(Self.topic, "it refuses clients without a name")]
        } catch {
            return [.skipped(Self.topic, "anonymous access could not be tried: \(error)")]
        }
    }

    private func certificate() async -> [Finding] {
        guard settings.usesTLS else {
            return [
                .notice(
                    Self.topic, "AQUA_MQTT_URL is not encrypted: its TLS certificate is not looked at",
                    mend: "Fine on one machine; elsewhere use mqtts://.")
            ]
        }
        do {
            return try await Self.certificate.run(
                HostAndPort(host: settings.host, port: settings.port), name: settings.host,
                authorityFile: settings.authorityFile, now: clock.now(), refused: story)
        } catch {
            return [.skipped(Self.topic, "its TLS certificate could not be read: \(error)")]
        }
    }

    private func story(of fault: CertificateFault) -> Finding {
        switch fault {
        case .otherName:
            .wrong(
                Self.topic, "its TLS certificate is not for \(settings.host), by which it is reached",
                mend:
                    "Name the broker in AQUA_MQTT_URL as its certificate does, or renew the certificate for that name too."
            )
        case .notTrusted:
            .wrong(
                Self.topic, "its TLS certificate is not trusted: another authority has signed it, or it has expired",
                mend:
                    "Name the authority that signed it in AQUA_MQTT_CA_FILE, here and for the ingestor and the devices."
            )
        }
    }

    static let certificate = CertificateCheck(
        topic: topic, what: "its TLS certificate", renewal: .byHand(wrongBelow: 21, noticeBelow: 21),
        mend: "Renew the certificate that mosquitto.conf names and restart the broker; devices refuse an expired one.")
}
