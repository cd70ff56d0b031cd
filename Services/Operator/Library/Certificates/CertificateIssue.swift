import ArgumentParser
import BrokerControl
import FoundationEssentials
import Glibc
import Instants
import MQTT
import Postgres
import Secrets
import ServiceKit
import Store
import WaterQuality

/// `aqua device certificate issue`
struct CertificateIssue: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Makes a key and a certificate for each of some devices.",
        discussion: """
            Writes DEVICE.key and DEVICE.pem for each device. The devices have to exist, with their accounts at the broker, which say what they \
            may do. A key is shown to nobody and kept nowhere else; a device that has lost it gets another one. Former certificates stay \
            valid until they end or are revoked.

            Example:  aqua device certificate issue pond-1 pond-2 --authority /media/key/fleet --out keys
            """)

    private static let days = 1...3650
    private static let mostDevices = 1000

    @Argument(help: "The devices' ids, up to 1000.", transform: Device.HardwareID.init(argument:))
    var devices: [Device.HardwareID]
    @OptionGroup var place: AuthorityOption
    @Option(help: ArgumentHelp("The directory for keys and certificates; made if absent.", valueName: "DIR"))
    var out: String
    @Option(help: ArgumentHelp("The life of the certificates in days, up to ten years.", valueName: "N"))
    var days = 730
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard Self.days.contains(days) else { throw ValidationError("--days is from 1 to 3650.") }
        guard devices.count <= Self.mostDevices else { throw ValidationError("Name at most 1000 devices.") }
    }

    func run(in context: OperatorContext) async throws {
        let (database, brokers, fleet) = try context.environment.read {
            ($0.database(), MQTTConfiguration.all($0.broker()), $0.fleet())
        }
        let directory = try AuthorityDirectory(place.authority, apartFrom: fleet)
        let authority = try directory.authority()
        let devices = Set(devices).sorted { $0.text < $1.text }
        try await context.withDatabase(database) { connection in
            for device in devices { _ = try await connection.sender(device) }
        }
        try await requireAccounts(devices, at: brokers)
        let report = try await directory.locked(within: context.patience) {
            let now = context.clock.now()
            let files = try self.files(of: devices)
            var report = IssueReport(directory: out)
            for (device, file) in zip(devices, files) {
                let identity = try FleetIdentity.issued(
                    to: device.text, by: authority, until: now + .seconds(days * 86_400), now: now)
                try directory.record(identity.certificate)
                try DurableFile.write(identity.key.pem, to: "\(file).key", mode: 0o600)
                try DurableFile.write(identity.certificate.pem, to: "\(file).pem", mode: 0o644)
                report.certificates.append(CertificateLine(identity.certificate, state: nil))
            }
            return report
        }
        try context.console.show(report, output)
    }

    /// The broker does not know a client without an account, and would let it join the Ingestors' subscription.
    private func requireAccounts(_ devices: [Device.HardwareID], at brokers: [MQTTConfiguration]) async throws {
        let missing = try await DynamicSecurity.with(firstOf: brokers) { security in
            var missing: [String] = []
            for device in devices {
                let account = try await security.client(device.text)
                let isReady = account.map { !$0.isDisabled && $0.roleNames == [DynamicSecurity.deviceRole] } ?? false
                if !isReady { missing.append(device.text) }
            }
            return missing
        }
        guard let first = missing.first else { return }
        throw OperatorError(
            .conflict,
            "\(missing.count) of the devices (\(first) for one) have no account at the broker that is a device's and enabled. Run: aqua device add \(first)"
        )
    }

    /// The files' paths without their ends.
    /// - Throws: `conflict` for one that exists: a key is never replaced.
    private func files(of devices: [Device.HardwareID]) throws -> [String] {
        guard mkdir(out, 0o700) == 0 || errno == EEXIST else {
            throw OperatorError(.invalidInput, "\(out) cannot be made: \(String(cString: strerror(errno))).")
        }
        let files = devices.map { "\(out)/\($0.text)" }
        for file in files.flatMap({ ["\($0).key", "\($0).pem"] }) where FileManager.default.fileExists(atPath: file) {
            throw OperatorError(.conflict, "\(file) exists, and is not replaced. Name another directory.")
        }
        return files
    }
}

/// A certificate in a report.
struct CertificateLine: Encodable {
    enum State: String, Encodable {
        case valid, expired, revoked
    }

    var deviceId: String
    var serial: String
    var until: String
    /// nil for a new one.
    var state: State?

    init(_ certificate: Certificate, state: State?) {
        deviceId = certificate.name
        serial = "\(certificate.serial)"
        until = certificate.validity.upperBound.iso8601
        self.state = state
    }
}

struct IssueReport: Report {
    var directory: String
    var certificates: [CertificateLine] = []

    var text: String {
        var table = TextTable(["DEVICE", "SERIAL", "VALID UNTIL"])
        for one in certificates { table.add([one.deviceId, one.serial, one.until]) }
        return """
            \(table.text)
            The keys are in \(directory), for their devices alone. Remove them there once the devices have them.
            """
    }
}
