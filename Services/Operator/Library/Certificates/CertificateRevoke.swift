import ArgumentParser
import MQTT
import Secrets
import ServiceKit
import WaterQuality

/// `aqua device certificate revoke`
struct CertificateRevoke: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes certificates, and shows that the broker refuses them and that nobody is connected by them.",
        discussion: """
            Writes the new list for the broker, to AQUA_FLEET_TLS, and waits until the broker goes by it: a certificate that was made for this, and \
            revoked with the others, is first admitted and then refused. Then the connections end. The exit code is 1 unless all of this was \
            seen; the command says what was not. It may be run again at any time. Nobody sees connections that have not logged in yet: a restart \
            of the broker ends those.

            A device that has another certificate, or its password, comes back with it. A password ends by: aqua device rotate-key

            Example:  aqua device certificate revoke pond-1 --authority /media/key/fleet
            """)

    private static let longest = Duration.seconds(600)

    @Argument(help: "Devices, each for all of its certificates, or serial numbers of certificates.")
    var names: [String]
    @OptionGroup var place: AuthorityOption
    @Option(
        help: ArgumentHelp(
            "How long the broker may take to go by the new list, up to 10m.", valueName: "TIME"))
    var within = DurationArgument(.seconds(60))
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard within.duration <= Self.longest else { throw ValidationError("--within is 10m at most.") }
        guard names.count <= 1000 else { throw ValidationError("Name at most 1000.") }
    }

    func run(in context: OperatorContext) async throws {
        let (brokers, fleet) = try context.environment.require { reader in
            let (brokers, fleet) = (MQTTConfiguration.all(reader.broker()), reader.fleet())
            // Both have to be set, and are complained of if they are not.
            _ = (reader.string(.fleetTLS), reader.string(.fleetURL))
            return fleet.map { (brokers, $0) }
        }
        guard let listener = fleet.listener else { preconditionFailure("AQUA_FLEET_URL is required above") }
        let directory = try AuthorityDirectory(place.authority, apartFrom: fleet)
        let chosen = try chosen(from: directory.certificates())
        let revocation = Revocation(
            directory: directory, fleet: fleet, listener: listener, brokers: brokers, clock: context.clock,
            limit: within.duration)
        let doubts = try await revocation.run(chosen)
        try context.console.show(RevocationReport(chosen, doubts, list: fleet.listFile), output)
        guard doubts.isEmpty else { throw ExitCode.failure }
    }

    /// - Throws: `notFound` for a device without any, and for an unknown number.
    private func chosen(from all: [AuthorityDirectory.Issued]) throws(OperatorError) -> [AuthorityDirectory.Issued] {
        var chosen: Set<AuthorityDirectory.Issued> = []
        for name in names {
            let serial = CertificateSerial(name)
            let found = all.filter { $0.name == name || $0.serial == serial }
            guard !found.isEmpty else {
                throw OperatorError(
                    .notFound,
                    "There is no certificate of \(name). Correct it; aqua device certificate list shows all. Nothing was revoked."
                )
            }
            chosen.formUnion(found)
        }
        return chosen.sorted { ($0.name, $0.serial) < ($1.name, $1.serial) }
    }
}

struct RevocationReport: Report {
    struct Line: Encodable {
        var deviceId: String
        var serial: String
    }

    var revoked: [Line]
    /// The list that the broker reads.
    var list: String
    var isProven: Bool
    /// The steps that were not shown.
    var doubts: [String]

    init(_ certificates: [AuthorityDirectory.Issued], _ doubts: [Revocation.Doubt], list: String) {
        revoked = certificates.map { Line(deviceId: $0.name, serial: "\($0.serial)") }
        self.list = list
        isProven = doubts.isEmpty
        self.doubts = doubts.map(\.words)
    }

    var text: String {
        var table = TextTable(["DEVICE", "REVOKED"])
        for one in revoked { table.add([one.deviceId, one.serial]) }
        let verdict =
            isProven
            ? """
            The broker refuses them, and nobody is connected by them: both were seen. A connection whose handshake was over before and that has \
            not logged in yet is not seen, and still may. Where a device is in hostile hands, restart the broker now: that ends those as well.
            """
            : "They are on the list in \(list). NOT PROVEN:\n" + doubts.map { "  \($0)." }.joined(separator: "\n")
                + "\nMend it, and run the same command again."
        return "\(table.text)\n\(verdict)"
    }
}
