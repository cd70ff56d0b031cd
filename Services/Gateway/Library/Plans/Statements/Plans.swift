import Postgres
import Store
import WaterQuality

extension SitePlan {
    fileprivate static let select = """
        SELECT p.plan_id, p.account_id, p.project_id, p.name, p.version, p.may_change, p.type, p.width, p.height, p.digest FROM person_plan p
        """

    fileprivate init(_ row: inout RowReader) throws {
        id = try row.read()
        account = try row.read()
        project = try row.read()
        name = try row.read()
        version = try row.read()
        mayChange = try row.read()
        let (type, width) = try (row.read(String?.self), row.read(Int32?.self))
        let (height, digest) = try (row.read(Int32?.self), row.read([UInt8]?.self))
        if let type, let width, let height, let digest {
            picture = Picture(type: type, width: width, height: height, digest: digest)
        }
    }
}

/// The plans that whoever acts sees: their own first, then by the projects.
struct ListPlans: Statement {
    static let sql = "\(SitePlan.select) ORDER BY p.project_id NULLS FIRST, p.place"
    static func decode(_ row: inout RowReader) throws -> SitePlan { try SitePlan(&row) }
}

/// A plan that the person sees; no row where they do not.
struct FindPlan: Statement {
    static let sql = "\(SitePlan.select) WHERE p.plan_id = $1"
    let plan: SitePlanID
    init(_ plan: SitePlanID) { self.plan = plan }
    func bind(_ parameters: inout Parameters) { parameters.append(plan) }
    static func decode(_ row: inout RowReader) throws -> SitePlan { try SitePlan(&row) }
}

/// The tanks on a plan that whoever acts sees.
struct ListPlanPlaces: Statement {
    static let sql =
        "SELECT t.hardware_id, t.x, t.y FROM person_plan_place t WHERE t.plan_id = $1 ORDER BY t.hardware_id"
    let plan: SitePlanID
    init(of plan: SitePlanID) { self.plan = plan }
    func bind(_ parameters: inout Parameters) { parameters.append(plan) }
    static func decode(_ row: inout RowReader) throws -> SitePlan.Place {
        try SitePlan.Place(device: row.read(), x: row.read(), y: row.read())
    }
}

/// Begins a blank plan of the named person's tanks, or of a project's.
struct MakePlan: Statement {
    static let sql = "SELECT outcome, plan FROM make_plan($1, $2)"

    enum Outcome: String, CaseIterable, Sendable {
        case done
        /// The person takes no part in the project.
        case unknown
        /// Keepers and viewers begin none.
        case refused
        /// There are as many as may be.
        case full
    }

    struct Row: Sendable {
        var outcome: Outcome
        var plan: SitePlanID?
    }

    let project: Account.ID?
    let name: String

    /// - Parameter project: `nil` for the person's own tanks.
    init(_ name: String, of project: Account.ID?) {
        self.name = name
        self.project = project
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(name)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), plan: row.read()) }
}

/// Gives a plan of the named account's another name. False: there is none.
struct RenamePlan: Statement {
    static let sql = "SELECT rename_plan($1, $2)"
    let plan: SitePlanID
    let name: String

    init(_ plan: SitePlanID, _ name: String) {
        self.plan = plan
        self.name = name
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(plan)
        parameters.append(name)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Puts tanks on a plan of the named account's, and takes all others off.
struct PlaceTanks: Statement {
    static let sql = "SELECT place_tanks($1, $2, $3, $4)"

    enum Outcome: String, CaseIterable, Sendable {
        case placed
        case unknown
        /// A device is not the account's.
        case notOwn
    }

    let plan: SitePlanID
    let places: [SitePlan.Place]

    init(on plan: SitePlanID, _ places: [SitePlan.Place]) {
        self.plan = plan
        self.places = places
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(plan)
        parameters.append(places.map(\.device))
        parameters.append(places.map(\.x))
        parameters.append(places.map(\.y))
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Removes a plan of the named account's. False: there is none.
struct RemovePlan: Statement {
    static let sql = "SELECT remove_plan($1)"
    let plan: SitePlanID
    init(_ plan: SitePlanID) { self.plan = plan }
    func bind(_ parameters: inout Parameters) { parameters.append(plan) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
