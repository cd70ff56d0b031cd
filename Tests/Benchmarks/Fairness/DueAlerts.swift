import Postgres
import TestSupport
import WaterQuality

/// Alarms of a fleet's temperatures that are too high, stored as an engine stores what it has decided, with an engine's rights. How many
/// messages a person gets in an hour, and which are told together, an engine decides before that: here each alarm is due by itself.
struct DueAlerts: Sendable {
    static let parameter = Parameter.temperature

    private let connection: PostgresConnection

    static func with<Result>(
        _ database: TestDatabase, _ body: (DueAlerts) async throws -> Result
    ) async throws -> Result {
        let connection = try await database.connect(.rules)
        do {
            _ = try await connection.perform(OpenEpisodes())
            let result = try await body(DueAlerts(connection: connection))
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    /// - Parameter device: The fleet's number of the device whose owner is told.
    func decide(_ count: Int, of device: Int) async throws {
        let added = try await connection.execute(DecideAlarms(owner: Int64(device + 1), count: Int32(count)))
        guard added == [Int64(count)] else { throw TestSupportError("Of \(count) alarms \(added) were stored") }
    }
}

/// Opens an episode of each device that has none.
private struct OpenEpisodes: Statement {
    static let sql = """
        INSERT INTO episode (
            slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst)
        SELECT s.slot, s.device_id, s.parameter, s.account_id, nextval('episode_id'), 'range', 'high', now(), now(), $2
        FROM setting s WHERE s.parameter = $1
        ON CONFLICT DO NOTHING
        """

    func bind(_ parameters: inout Parameters) {
        let limit = DueAlerts.parameter.defaults.maximum?.count ?? 0
        parameters.append(DueAlerts.parameter.rawValue)
        parameters.append(DueAlerts.parameter.value(of: Steps(limit + 10)))
    }
}

/// Adds alarms of a person's open episode, and tells the notifiers.
private struct DecideAlarms: Statement {
    static let sql = """
        WITH added AS (
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst, limit_value,
                opened_at, event_time, received_at)
            SELECT e.slot, e.device_id, e.parameter, e.account_id, nextval('alert_id'), gen_random_uuid(), e.episode_id, e.kind,
                'alarm', e.side, e.worst, e.worst, $3, e.opened_at, now(), now()
            FROM episode e CROSS JOIN generate_series(1, $2) n
            WHERE e.account_id = $1
            RETURNING alert_id
        )
        SELECT count(*), pg_notify('alert', '')::text FROM added
        """
    let owner: Int64
    let count: Int32

    func bind(_ parameters: inout Parameters) {
        parameters.append(owner)
        parameters.append(count)
        parameters.append(DueAlerts.parameter.value(of: Steps(DueAlerts.parameter.defaults.maximum?.count ?? 0)))
    }

    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}
