import ArgumentParser
import Postgres
import Secrets
import Store
import WaterQuality

/// `aqua reseal`
struct Reseal: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Seals all stored secrets with the newest key, so that older ones can be dropped.",
        discussion: """
            Addresses that the version before stored in clear are sealed with them.

            To exchange the key of AQUA_SECRET_KEY_FILE: put a new one on the first line, above the old one; run this; then \
            take the old one out. The services read the file anew by themselves and refuse nothing in between. It is safe \
            to run again.

            Example:  aqua reseal
            """)

    private static let pageSize = 500
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (database, keys) = try context.environment.databaseAndSecretKeys()
        let report = try await context.withDatabase(database) { connection in
            var report = ResealReport()
            var last: Endpoint.ID? = Endpoint.ID(rawValue: 0)
            while let after = last {
                let page = try await connection.transaction { transaction in
                    try reseal(transaction.execute(LockSecrets(after: after, limit: Self.pageSize)), keys, transaction)
                }
                report.sealedAnew += page.sealedAnew
                report.unreadable += page.unreadable
                report.unreadableTemplates += page.unreadableTemplates
                last = page.last
            }
            let uses = KeyUses(try await connection.execute(CountKeyUses()))
            report.oldClaimCodes = uses.claimCodes(notUnder: keys.newest.id, isOnly: keys.ids.count == 1)
            return report
        }
        try context.console.show(report, output)
        guard report.unreadable.isEmpty, report.unreadableTemplates.isEmpty else { throw ExitCode.failure }
    }

    private struct Page: Sendable {
        var sealedAnew = 0
        var unreadable: [Endpoint.ID] = []
        var unreadableTemplates: [Endpoint.ID] = []
        var last: Endpoint.ID?
    }

    /// Seals what can be opened of each endpoint: what cannot stays as it is, and holds nothing else under an older key.
    private func reseal(
        _ endpoints: [SealedEndpoint], _ keys: SecretKeys, _ transaction: PostgresTransaction
    ) throws -> Page {
        var page = Page(last: endpoints.last?.endpoint)
        for endpoint in endpoints {
            // An endpoint whose address was removed has no secret any more.
            guard !endpoint.secret.isEmpty else { continue }
            let secret = Sealed(endpoint, keys)
            let context = SealedSecret.Context.endpoint(
                channel: endpoint.channel.rawValue, number: endpoint.endpoint.rawValue)
            let former = Sealed(endpoint.former, context, keys)
            let templates = [endpoint.template, endpoint.formerTemplate].map {
                Sealed($0, .template(of: endpoint.endpoint.rawValue), keys)
            }
            if !(secret.isReadable && former.isReadable) { page.unreadable.append(endpoint.endpoint) }
            if !templates.allSatisfy(\.isReadable) { page.unreadableTemplates.append(endpoint.endpoint) }
            guard ([secret, former] + templates).contains(where: \.isNew) else { continue }
            try transaction.perform(
                ResealEndpoint(
                    endpoint: endpoint.endpoint, secret: secret.bytes ?? endpoint.secret, former: former.bytes,
                    template: templates[0].bytes, formerTemplate: templates[1].bytes))
            page.sealedAnew += 1
        }
        return page
    }

    /// Something sealed with the newest key, or as it was where none of the keys opens it.
    private struct Sealed {
        private(set) var bytes: [UInt8]?
        /// Whether it was sealed anew: it was under an older key, or without its address.
        private(set) var isNew = false
        private(set) var isReadable = true

        /// An endpoint's secret, with its address.
        init(_ endpoint: SealedEndpoint, _ keys: SecretKeys) {
            let (channel, number) = (endpoint.channel.rawValue, endpoint.endpoint.rawValue)
            bytes = endpoint.secret
            seal {
                let opened = try keys.openEndpoint(
                    SealedSecret(stored: endpoint.secret), channel: channel, number: number)
                guard !opened.isNewest || opened.endpoint.address == nil else { return nil }
                return try SealedSecret.seal(
                    opened.endpoint.addressed(endpoint.target), with: keys.newest, channel: channel, number: number)
            }
        }

        /// - Parameter stored: nil where there is none.
        init(_ stored: [UInt8]?, _ context: SealedSecret.Context, _ keys: SecretKeys) {
            bytes = stored
            guard let stored else { return }
            seal {
                let opened = try keys.open(SealedSecret(stored: stored), for: context)
                return opened.isNewest ? nil : try SealedSecret.seal(opened.secret, with: keys.newest, for: context)
            }
        }

        /// - Parameter sealed: What takes its place; nil where it is under the newest key.
        private mutating func seal(_ sealed: () throws -> SealedSecret?) {
            do {
                guard let sealed = try sealed() else { return }
                (bytes, isNew) = (sealed.bytes, true)
            } catch {
                isReadable = false
            }
        }
    }
}

struct ResealReport: Report {
    var sealedAnew = 0
    /// Endpoints whose secret none of the keys opens.
    var unreadable: [Endpoint.ID] = []
    /// Endpoints with a template that none of the keys opens.
    var unreadableTemplates: [Endpoint.ID] = []
    /// How many devices without an owner have a claim code of an older key.
    var oldClaimCodes = 0

    var text: String {
        var lines = ["Sealed the secrets of \(sealedAnew) endpoints anew; all others stood under the newest key."]
        if !unreadable.isEmpty {
            lines.append(
                "The secrets of endpoints \(Self.some(of: unreadable)) are opened by no key of AQUA_SECRET_KEY_FILE. Put the key that is missing back, or give each a new secret: aqua endpoint add"
            )
        }
        if !unreadableTemplates.isEmpty {
            lines.append(
                "The templates of endpoints \(Self.some(of: unreadableTemplates)) are opened by no key of AQUA_SECRET_KEY_FILE: what is sent there is in the standard form. Put the key that is missing back, or have their people choose the form anew."
            )
        }
        if unreadable.isEmpty, unreadableTemplates.isEmpty, oldClaimCodes == 0 {
            lines.append("Nothing needs an older key: take it out of AQUA_SECRET_KEY_FILE.")
        }
        if oldClaimCodes > 0 {
            lines.append(
                "The claim codes of \(oldClaimCodes) devices without an owner need an older key. Without it they are worthless: "
                    + "keep it until the devices are linked, or print new codes: aqua device add ID --new-claim-code")
        }
        return lines.joined(separator: "\n")
    }

    private static func some(of endpoints: [Endpoint.ID]) -> String {
        endpoints.prefix(20).map { "\($0)" }.joined(separator: ", ")
    }
}

/// The keys with which devices' passwords and claim codes were made.
struct KeyUses: Sendable {
    private let rows: [CountKeyUses.Row]

    init(_ rows: [CountKeyUses.Row]) { self.rows = rows }

    /// How many devices without an owner have a claim code that was not made with this key. A code without a key's id dates
    /// from before there could be several keys: the oldest key made it, which is this one if there is no other.
    func claimCodes(notUnder newest: KeyID, isOnly: Bool) -> Int {
        count { row in
            guard let id = row.claimKeyID else { return !isOnly }
            return id != CountKeyUses.noClaimCode && id != "\(newest)"
        }
    }

    /// How many devices have a password from none of these master keys, and one of those devices.
    func passwords(underNoneOf keys: [KeyID]) -> (count: Int, example: String)? {
        let known = Set(keys.map(\.description))
        return some(whose: { $0.map { !known.contains($0) } ?? false })
    }

    /// How many devices have a password from another master key than this one, and one of those devices.
    func passwords(notUnder newest: KeyID) -> (count: Int, example: String)? {
        some(whose: { $0 != "\(newest)" })
    }

    private func some(whose matches: (String?) -> Bool) -> (count: Int, example: String)? {
        let found = rows.filter { matches($0.keyID) }
        return found.first.map { (found.reduce(0) { $0 + Int($1.devices) }, $0.example) }
    }

    private func count(_ matches: (CountKeyUses.Row) -> Bool) -> Int {
        rows.filter(matches).reduce(0) { $0 + Int($1.devices) }
    }
}
