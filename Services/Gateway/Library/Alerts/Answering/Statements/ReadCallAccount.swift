import Postgres
import Store
import WaterQuality

/// The sealed account by which an endpoint of the named person is called; no row where they use no such endpoint.
struct ReadCallAccount: Statement {
    static let sql = """
        SELECT sealed_secret FROM usable_endpoint
        WHERE endpoint_id = $1 AND account_id = $2 AND channel = '\(Endpoint.Channel.call.rawValue)'
        """
    let endpoint: Endpoint.ID
    let account: Account.ID

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> [UInt8] { try row.read() }
}
