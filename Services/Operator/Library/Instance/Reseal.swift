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
                last = page.last
            }
            let uses = KeyUses(try await connection.execute(CountKeyUses()))
            report.oldClaimCodes = uses.claimCodes(notUnder: keys.newest.id, isOnly: keys.ids.count == 1)
            return report
        }
        try context.console.show(report, output)
        guard report.unreadable.isEmpty else { throw ExitCode.failure }
    }

    private struct Page: Sendable {
        var sealedAnew = 0
        var unreadable: [Endpoint.ID] = []
        var last: Endpoint.ID?
    }

    private func reseal(
        _ endpoints: [SealedEndpoint], _ keys: SecretKeys, _ transaction: PostgresTransaction
    ) throws -> Page {
        var page = Page(last: endpoints.last?.endpoint)
        for endpoint in endpoints {
            // An endpoint whose address was removed has no secret any more.
            guard !endpoint.secret.isEmpty else { continue }
            do {
                let secret = try Sealed(endpoint, keys)
                let former = try endpoint.former.map { try Sealed(former: $0, of: endpoint, keys) }
                let template = try endpoint.template.map { try Sealed(template: $0, of: endpoint.endpoint, keys) }
                guard secret.isNew || former?.isNew == true || template?.isNew == true else { continue }
                try transaction.perform(
                    ResealEndpoint(
                        endpoint: endpoint.endpoint, secret: secret.bytes, former: former?.bytes,
                        template: template?.bytes))
                page.sealedAnew += 1
            } catch is SealedSecret.CannotOpen {
                page.unreadable.append(endpoint.endpoint)
            }
        }
        return page
    }

    /// A secret sealed with the newest key.
    private struct Sealed {
        let bytes: [UInt8]
        /// Whether the secret was sealed anew: it was under an older key, or without its address.
        let isNew: Bool

        init(_ endpoint: SealedEndpoint, _ keys: SecretKeys) throws {
            let (channel, number) = (endpoint.channel.rawValue, endpoint.endpoint.rawValue)
            let opened = try keys.openEndpoint(
                SealedSecret(stored: endpoint.secret), channel: channel, number: number)
            isNew = !opened.isNewest || opened.endpoint.address == nil
            bytes =
                isNew
                ? try SealedSecret.seal(
                    opened.endpoint.addressed(endpoint.target), with: keys.newest, channel: channel, number: number
                ).bytes
                : endpoint.secret
        }

        init(former stored: [UInt8], of endpoint: SealedEndpoint, _ keys: SecretKeys) throws {
            try self.init(
                stored, .endpoint(channel: endpoint.channel.rawValue, number: endpoint.endpoint.rawValue), keys)
        }

        init(template stored: [UInt8], of endpoint: Endpoint.ID, _ keys: SecretKeys) throws {
            try self.init(stored, .template(of: endpoint.rawValue), keys)
        }

        private init(_ stored: [UInt8], _ context: SealedSecret.Context, _ keys: SecretKeys) throws {
            let opened = try keys.open(SealedSecret(stored: stored), for: context)
            isNew = !opened.isNewest
            bytes =
                opened.isNewest
                ? stored : try SealedSecret.seal(opened.secret, with: keys.newest, for: context).bytes
        }
    }
}

struct ResealReport: Report {
    var sealedAnew = 0
    /// Endpoints whose secret none of the keys opens.
    var unreadable: [Endpoint.ID] = []
    /// How many devices without an owner have a claim code of an older key.
    var oldClaimCodes = 0

    var text: String {
        var lines = ["Sealed the secrets of \(sealedAnew) endpoints anew; all others stood under the newest key."]
        if !unreadable.isEmpty {
            let numbers = unreadable.prefix(20).map { "\($0)" }.joined(separator: ", ")
            lines.append(
                "The secrets of endpoints \(numbers) are opened by no key of AQUA_SECRET_KEY_FILE. Put the key that is missing back, or give each a new secret: aqua endpoint add"
            )
        } else if oldClaimCodes == 0 {
            lines.append("Nothing needs an older key: take it out of AQUA_SECRET_KEY_FILE.")
        }
        if oldClaimCodes > 0 {
            lines.append(
                "The claim codes of \(oldClaimCodes) devices without an owner need an older key. Without it they are worthless: "
                    + "keep it until the devices are linked, or print new codes: aqua device add ID --new-claim-code")
        }
        return lines.joined(separator: "\n")
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
