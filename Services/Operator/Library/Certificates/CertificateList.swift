import ArgumentParser
import Instants
import Secrets
import ServiceKit
import WaterQuality

/// `aqua device certificate list`
struct CertificateList: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows the certificates that the authority signed, and which of them are revoked.",
        discussion: """
            Example:  aqua device certificate list pond-1 --authority /media/key/fleet
            """)

    @Argument(help: "One device's id; without it all are shown.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID?
    @OptionGroup var place: AuthorityOption
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let directory = try AuthorityDirectory(place.authority)
        let (revoked, now) = (try directory.list().revoked, context.clock.now())
        let certificates = try directory.certificates().filter { one in
            device.map { $0.text == one.name } ?? (one.name != FleetIdentity.sentinelName)
        }
        let lines = try certificates.map { one in
            let certificate = try directory.certificate(one)
            let hasEnded = certificate.validity.upperBound <= now
            return CertificateLine(
                certificate, state: revoked[one.serial] != nil ? .revoked : hasEnded ? .expired : .valid)
        }
        try context.console.show(CertificateListReport(certificates: lines), output)
    }
}

struct CertificateListReport: Report {
    var certificates: [CertificateLine]

    var text: String {
        guard !certificates.isEmpty else { return "There is none." }
        var table = TextTable(["DEVICE", "SERIAL", "VALID UNTIL", "STATE"])
        for one in certificates { table.add([one.deviceId, one.serial, one.until, one.state?.rawValue ?? "-"]) }
        return table.text
    }
}
