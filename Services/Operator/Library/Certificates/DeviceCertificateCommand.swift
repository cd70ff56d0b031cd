import ArgumentParser

/// `aqua device certificate`
struct DeviceCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Certificates by which devices of one fleet log in instead of by a password.",
        subcommands: [CertificateIssue.self, CertificateRevoke.self, CertificateList.self])
}

/// `--authority`
struct AuthorityOption: ParsableArguments {
    @Option(help: ArgumentHelp("The directory that aqua certificate authority made.", valueName: "DIR"))
    var authority: String
}
