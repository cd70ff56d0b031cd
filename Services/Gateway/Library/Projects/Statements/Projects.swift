import Instants
import Postgres
import Store
import WaterQuality

/// A project in which a person takes part.
struct PersonProject: Sendable {
    let id: Account.ID
    let name: String
    /// Counts the changes of the name.
    let version: Int32
    let role: Word<ProjectRole>
    /// When the person's part ends.
    let until: Timestamp?
    let devices: Int64
    let members: Int64

    /// Whoever asks has a part in each of a project's devices, or acts as the project.
    static let select = """
        SELECT p.project_id, p.name, p.version, p.role, p.ends_at,
            (SELECT count(*) FROM ownership o
            WHERE o.project_id = p.project_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL),
            (SELECT count(*) FROM project_person q WHERE q.project_id = p.project_id)
        FROM person_project p
        """

    init(_ row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        version = try row.read()
        role = try row.read()
        until = try row.read()
        devices = try row.read()
        members = try row.read()
    }
}

/// The projects in which whoever acts takes part.
struct ListProjects: Statement {
    static let sql = "\(PersonProject.select) ORDER BY p.name, p.project_id"
    static func decode(_ row: inout RowReader) throws -> PersonProject { try PersonProject(&row) }
}

/// One of them; no row where they do not take part.
struct FindProject: Statement {
    static let sql = "\(PersonProject.select) WHERE p.project_id = $1"
    let project: Account.ID
    init(_ project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> PersonProject { try PersonProject(&row) }
}

/// Opens a project for the named person; `nil` where they take part in as many as they may.
struct CreateProject: Statement {
    static let sql = "SELECT create_project($1)"
    let name: String
    init(_ name: String) { self.name = name }
    func bind(_ parameters: inout Parameters) { parameters.append(name) }
    static func decode(_ row: inout RowReader) throws -> Account.ID? { try row.read() }
}

/// Gives the project for which the transaction acts another name.
struct RenameProject: Statement {
    static let sql = """
        UPDATE account SET display_name = $2, settings_version = settings_version + 1 WHERE account_id = $1 AND display_name <> $2
        """
    let project: Account.ID
    let name: String
    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(name)
    }
}

/// Dissolves a project, whose devices are given up.
struct DissolveProject: Statement {
    static let sql = "SELECT dissolve_project($1)"

    enum Outcome: String, CaseIterable, Sendable {
        case done
        /// The person does not take part.
        case unknown
        /// Only owners may.
        case refused
        /// More devices than are given up at once.
        case tooLarge
    }

    let project: Account.ID
    init(_ project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Moves a device of the named person's into a project, with its tank.
struct MoveDevice: Statement {
    static let sql = "SELECT move_device($1, $2, $3)"

    enum Outcome: String, CaseIterable, Sendable {
        case done
        /// The person does not take part in the project.
        case unknown
        /// Keepers and viewers do not act for a project.
        case refused
        /// The device is somebody else's.
        case notOwn
        /// The project has as many devices as it may have.
        case full
    }

    let device: DeviceKey
    let project: Account.ID
    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(project)
    }
    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Whether the named person only looks at a device, or, where none is named, at any.
struct OnlyLooks: Statement {
    static let sql = """
        SELECT EXISTS (
            SELECT FROM person_device p
            WHERE p.unlinked_at IS NULL AND NOT p.may_act AND ($1::text IS NULL OR p.hardware_id = $1))
        """
    let hardwareID: String?
    init(at hardwareID: String?) { self.hardwareID = hardwareID }
    func bind(_ parameters: inout Parameters) { parameters.append(hardwareID) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
