import Postgres
import Store
import WaterQuality

/// Makes an account and its device the canary of the installation; `uniqueViolation` if there is one.
struct MarkCanary: Statement {
    static let sql = """
        INSERT INTO canary (account_id, slot, device_id, every_seconds) VALUES ($1, $2, $3, $4)
        """
    let account: Account.ID
    let device: DeviceKey
    let every: Duration

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(Int32(every / .seconds(1)))
    }
}

/// Changes how often the canary's alarm is due. Whatever was late by the former interval is due once more.
struct PaceCanary: Statement {
    static let sql = """
        UPDATE canary SET every_seconds = $1, made_at = now(), delivered_at = NULL WHERE every_seconds <> $1
        """
    let every: Duration
    func bind(_ parameters: inout Parameters) { parameters.append(Int32(every / .seconds(1))) }
}

/// The webhooks of the canary that are in use.
struct ListCanaryWebhooks: Statement {
    static let sql = """
        SELECT u.endpoint_id FROM canary c JOIN usable_endpoint u ON u.account_id = c.account_id
        WHERE u.channel = '\(Endpoint.Channel.webhook.rawValue)'
        ORDER BY u.endpoint_id
        """
    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}
