import Postgres

/// Notes devices that Home Assistant has to be told are gone. Of more than a thousand that wait the rest is not noted.
struct OweRemovals: Statement {
    static let sql = """
        INSERT INTO owed_removal (hardware_id)
        SELECT id FROM unnest($1::text[]) AS id
        LIMIT greatest(0, \(HomeProblems.mostRemoved) - (SELECT count(*) FROM owed_removal))
        ON CONFLICT DO NOTHING
        """

    let devices: [String]
    init(of devices: [String]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }
}

/// The devices that Home Assistant has to be told are gone, by whichever Ingestor they were noted.
struct ListOwedRemovals: Statement {
    static let sql = "SELECT hardware_id FROM owed_removal LIMIT \(HomeProblems.mostRemoved)"
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// Notes that Home Assistant was told, or is told of the devices again.
struct SettleRemovals: Statement {
    static let sql = "DELETE FROM owed_removal WHERE hardware_id = ANY ($1::text[])"

    let devices: [String]
    init(of devices: [String]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }
}
