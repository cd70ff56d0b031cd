import Postgres
import Routes
import Store
import WaterQuality

/// The protocols that people made for a device's owner, in their newest versions; without a device the named account's own.
struct ListFieldProtocols: Statement {
    static let sql = """
        SELECT DISTINCT ON (p.protocol_id) p.protocol_id, p.version, p.content::text
        FROM (
            SELECT o.protocol_id, o.version, o.content FROM own_protocol o WHERE $2::integer IS NULL
            UNION ALL
            SELECT t.protocol_id, t.version, t.content FROM person_protocol t WHERE t.slot = $1 AND t.device_id = $2
        ) AS p
        ORDER BY p.protocol_id, p.version DESC
        """

    let device: DeviceKey?
    init(of device: DeviceKey?) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device?.slot)
        parameters.append(device?.device)
    }

    static func decode(_ row: inout RowReader) throws -> FieldProtocol? { try FieldProtocol(&row) }
}

/// One of them, in a version of it.
struct FindFieldProtocol: Statement {
    static let sql = """
        SELECT p.protocol_id, p.version, p.content::text
        FROM (
            SELECT o.protocol_id, o.version, o.content FROM own_protocol o WHERE $2::integer IS NULL
            UNION ALL
            SELECT t.protocol_id, t.version, t.content FROM person_protocol t WHERE t.slot = $1 AND t.device_id = $2
        ) AS p
        WHERE p.protocol_id = $3 AND ($4::integer IS NULL OR p.version = $4)
        ORDER BY p.version DESC
        LIMIT 1
        """

    let id: String
    let version: Int32?
    let device: DeviceKey?

    /// - Parameters:
    ///   - version: `nil` for the newest.
    ///   - device: Whose owner's it is; `nil`: the named account's own.
    init(_ id: String, version: Int?, of device: DeviceKey?) {
        self.id = id
        self.version = version.map(Int32.init)
        self.device = device
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device?.slot)
        parameters.append(device?.device)
        parameters.append(id)
        parameters.append(version)
    }

    static func decode(_ row: inout RowReader) throws -> FieldProtocol? { try FieldProtocol(&row) }
}

/// Writes a protocol of the named account's.
struct PutFieldProtocol: Statement {
    static let sql = "SELECT put_field_protocol($1, $2, $3::text::jsonb)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case made, changed, stale, full
    }

    let sampling: FieldProtocol
    /// The version that is changed; `nil` to make.
    let version: Int32?

    init(_ sampling: FieldProtocol, from version: Int32?) {
        self.sampling = sampling
        self.version = version
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(sampling.id)
        parameters.append(version)
        parameters.append(sampling.storedJSON)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

extension FieldProtocol {
    /// - Returns: `nil` for what only a newer version of the service can read.
    fileprivate init?(_ row: inout RowReader) throws {
        try self.init(id: row.read(String.self), version: row.read(Int32.self), content: row.read(String.self))
    }

    /// A protocol from its columns.
    /// - Returns: `nil` where there is none, as for what only a newer version of the service can read.
    init?(id: String?, version: Int32?, content: String?) {
        guard let id, let version, let content, let json = try? JSON(reading: Array(content.utf8)),
            let read = try? Format<FieldProtocol>.fieldProtocol.readJSON(json)
        else { return nil }
        self.init(
            id: id, version: Int(version), name: read.name, help: read.help, stations: read.stations,
            hasDepths: read.hasDepths, fields: read.fields)
    }
}
