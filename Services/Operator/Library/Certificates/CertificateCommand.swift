import ArgumentParser
import Instants
import Secrets
import ServiceKit

/// `aqua certificate`
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "The authority of the fleet's certificates.",
        subcommands: [CertificateAuthorityCommand.self])
}

/// `aqua certificate authority`
struct CertificateAuthorityCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "authority",
        abstract: "Makes the authority that signs the certificates of the fleet's devices.",
        discussion: """
            Whoever has the directory is every device of the fleet. Keep it on a medium of your own, with a copy; no server, container or \
            database needs it. The broker needs authority.pem and revoked.pem alone, which are written to the directory of AQUA_FLEET_TLS as \
            well. Run again, the command changes no authority, and writes those two again.

            Example:  AQUA_FLEET_TLS=/srv/fleet aqua certificate authority --directory /media/key/fleet
            """)

    private static let years = 1...30

    @Option(help: ArgumentHelp("The authority's directory, for the operator alone.", valueName: "DIR"))
    var directory: String
    @Option(help: ArgumentHelp("The life of the authority, and of each list, in years.", valueName: "N"))
    var years = 20
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard Self.years.contains(years) else { throw ValidationError("--years is from 1 to 30.") }
    }

    func run(in context: OperatorContext) async throws {
        let fleet = try context.environment.read { $0.fleet() }
        let place = try AuthorityDirectory(directory, apartFrom: fleet)
        let now = context.clock.now()
        // The lock is a file of the directory, which there has to be first.
        try place.prepare()
        let (authority, isNew) = try await place.locked(within: context.patience) {
            let isNew = try place.make(
                name: "AquaMonitor fleet authority", until: now + .seconds(years * 365 * 86_400), now: now)
            let authority = try place.authority()
            guard let fleet else { return (authority, isNew) }
            try fleet.publish(authority.certificate)
            try fleet.publish(place.revoke([], by: authority, broker: fleet.list(of: authority.certificate), now: now))
            return (authority, isNew)
        }
        try context.console.show(
            AuthorityReport(
                directory: directory, isNew: isNew, until: authority.certificate.validity.upperBound.iso8601,
                published: fleet?.directory), output)
    }
}

struct AuthorityReport: Report {
    var directory: String
    var isNew: Bool
    var until: String
    /// The directory that the broker reads; nil where AQUA_FLEET_TLS names none.
    var published: String?

    var text: String {
        """
        \(isNew ? "Made an authority in" : "The authority is in") \(directory); it ends at \(until).
        Keep the directory away from every server, with a copy: whoever has authority.key is every device of the fleet.
        \(published.map { "The broker's part, authority.pem and revoked.pem, is in \($0)." }
            ?? "The broker needs authority.pem and revoked.pem. Set AQUA_FLEET_TLS to the directory that it reads, and run this again.")
        """
    }
}
