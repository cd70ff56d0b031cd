import Postgres
import Secrets
import Store
import WaterQuality

/// Checks whether the configured keys are those with which devices' passwords and endpoints' secrets were made.
struct KeyChecks {
    let connection: PostgresConnection
    let deviceKeys: DeviceKeys?
    let secretKeys: SecretKeys?

    private static let topic = "keys"
    /// Most endpoints whose secrets are opened.
    private static let mostTried = 1000

    func run() async throws -> [Finding] {
        let uses = KeyUses(try await connection.execute(CountKeyUses()))
        return devices(uses) + (try await endpoints(uses))
    }

    private func devices(_ uses: KeyUses) -> [Finding] {
        guard let deviceKeys else {
            return [.skipped(Self.topic, "the devices' passwords, for there is no master key")]
        }
        if let lost = uses.passwords(underNoneOf: deviceKeys.ids) {
            return [
                .wrong(
                    Self.topic,
                    "the master key of \(lost.count) devices (\(lost.example) for one) is not in AQUA_DEVICE_KEY_FILE",
                    mend:
                        "Put it back, on a line below the newest; or for each run: aqua device rotate-key \(lost.example)"
                )
            ]
        }
        guard deviceKeys.ids.count > 1 else {
            return [.ok(Self.topic, "every device's password comes from the master key")]
        }
        guard let older = uses.passwords(notUnder: deviceKeys.newest) else {
            return [
                .notice(
                    Self.topic, "no device needs the older master keys of AQUA_DEVICE_KEY_FILE",
                    mend: "Take them out of the file.")
            ]
        }
        return [
            .notice(
                Self.topic, "\(older.count) devices (\(older.example) for one) have passwords from an older master key",
                mend: "When their firmware can be changed, run for each: aqua device rotate-key \(older.example)")
        ]
    }

    private func endpoints(_ uses: KeyUses) async throws -> [Finding] {
        guard let secretKeys else { return [.skipped(Self.topic, "the endpoints' secrets, for there is no key")] }
        var (unreadable, unreadableTemplates): ([Endpoint.ID], [Endpoint.ID]) = ([], [])
        var (areOld, clear) = (false, 0)
        for endpoint in try await connection.execute(ReadSecrets(limit: Self.mostTried)) {
            do {
                let opened = try secretKeys.openEndpoint(
                    SealedSecret(stored: endpoint.secret), channel: endpoint.channel.rawValue,
                    number: endpoint.endpoint.rawValue)
                areOld = areOld || !opened.isNewest
                if opened.endpoint.address == nil { clear += 1 }
            } catch {
                unreadable.append(endpoint.endpoint)
            }
            do {
                for template in [endpoint.template, endpoint.formerTemplate].compactMap(\.self) {
                    let opened = try secretKeys.open(
                        SealedSecret(stored: template), for: .template(of: endpoint.endpoint.rawValue))
                    areOld = areOld || !opened.isNewest
                }
            } catch {
                unreadableTemplates.append(endpoint.endpoint)
            }
        }
        if let first = unreadable.first {
            return [
                .wrong(
                    Self.topic,
                    "the secrets of \(unreadable.count) endpoints (\(first) for one) are opened by no key of AQUA_SECRET_KEY_FILE: nothing is sent there",
                    mend:
                        "Put the key that they were stored with into the file, here and for the notifier; it is read anew by itself. "
                        + "If it is lost, give each a new secret: aqua endpoint add")
            ]
        }
        if let first = unreadableTemplates.first {
            return [
                .wrong(
                    Self.topic,
                    "the templates of \(unreadableTemplates.count) endpoints (\(first) for one) are opened by no key of AQUA_SECRET_KEY_FILE: what is sent there is in the standard form",
                    mend:
                        "Put the key that they were stored with into the file, here and for the notifier; it is read anew by itself. "
                        + "If it is lost, have their people choose the form anew.")
            ]
        }
        if clear > 0 {
            return [
                .notice(
                    Self.topic, "the addresses of \(clear) endpoints stand in clear in the database and in its backups",
                    mend: "When no service of the version before runs any more, run: aqua reseal")
            ]
        }
        guard secretKeys.ids.count > 1 else { return [.ok(Self.topic, "the key opens the endpoints' secrets")] }
        let codes = uses.claimCodes(notUnder: secretKeys.newest.id, isOnly: false)
        guard areOld || codes > 0 else {
            return [
                .notice(
                    Self.topic, "nothing needs the older keys of AQUA_SECRET_KEY_FILE",
                    mend: "Take them out of the file.")
            ]
        }
        return [.notice(Self.topic, "older keys of AQUA_SECRET_KEY_FILE are still needed", mend: "Run: aqua reseal")]
    }
}
