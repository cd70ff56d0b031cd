import Postgres

/// The addresses of private networks from which several people used their sessions within a day, those with most people first.
struct FindSharedAddresses: Statement {
    static let sql = """
        SELECT s.address, count(DISTINCT s.account_id) FROM session s
        WHERE s.used_at > now() - interval '1 day' AND s.address ~ '^[0-9a-f.:]+/[0-9]+$'
            AND s.address::inet <<= ANY ('{10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.168.0.0/16,'
                '::1/128,fc00::/7,fe80::/10}'::inet[])
        GROUP BY s.address HAVING count(DISTINCT s.account_id) >= 3
        ORDER BY 2 DESC, 1 LIMIT 3
        """

    struct Row: Sendable {
        var address: String
        var people: Int64
    }

    func bind(_ parameters: inout Parameters) {}
    static func decode(_ row: inout RowReader) throws -> Row { try Row(address: row.read(), people: row.read()) }
}
