import Postgres
import Store
import WaterQuality

extension Zone {
    fileprivate static let select = """
        SELECT z.zone_id, z.account_id, z.project_id, z.name, z.outline, z.favourite, z.version, z.may_change FROM person_zone z
        """

    fileprivate init(_ row: inout RowReader) throws {
        id = try row.read()
        account = try row.read()
        project = try row.read()
        content = try Content(name: row.read(), outline: ZoneOutline(stored: row.read()), isFavourite: row.read())
        version = try row.read()
        mayChange = try row.read()
    }
}

/// The zones that whoever acts sees: their own first, then by the projects.
struct ListZones: Statement {
    static let sql = "\(Zone.select) ORDER BY z.project_id NULLS FIRST, z.place"
    static func decode(_ row: inout RowReader) throws -> Zone { try Zone(&row) }
}

/// A zone that the person sees; no row where they do not.
struct FindZone: Statement {
    static let sql = "\(Zone.select) WHERE z.zone_id = $1"
    let zone: ZoneID
    init(_ zone: ZoneID) { self.zone = zone }
    func bind(_ parameters: inout Parameters) { parameters.append(zone) }
    static func decode(_ row: inout RowReader) throws -> Zone { try Zone(&row) }
}

/// Makes a zone of the named person's, or of a project's.
struct MakeZone: Statement {
    static let sql = "SELECT outcome, zone FROM make_zone($1, $2, $3, $4)"

    struct Row: Sendable {
        var outcome: MakePlan.Outcome
        var zone: ZoneID?
    }

    let project: Account.ID?
    let content: Zone.Content

    /// - Parameter project: `nil` for the person themselves.
    init(_ content: Zone.Content, of project: Account.ID?) {
        self.content = content
        self.project = project
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(content)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), zone: row.read()) }
}

/// Gives a zone of the named account's another content. False: there is none.
struct ChangeZone: Statement {
    static let sql = "SELECT change_zone($1, $2, $3, $4)"
    let zone: ZoneID
    let content: Zone.Content

    init(_ zone: ZoneID, to content: Zone.Content) {
        self.zone = zone
        self.content = content
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(zone)
        parameters.append(content)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Removes a zone of the named account's. False: there is none.
struct RemoveZone: Statement {
    static let sql = "SELECT remove_zone($1)"
    let zone: ZoneID
    init(_ zone: ZoneID) { self.zone = zone }
    func bind(_ parameters: inout Parameters) { parameters.append(zone) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

extension Parameters {
    fileprivate mutating func append(_ content: Zone.Content) {
        append(content.name)
        append(content.outline.stored)
        append(content.isFavourite)
    }
}
