import Postgres
import Store

/// Gives a plan of the named account's another picture, or none. False: there is no such plan.
struct SetPlanPicture: Statement {
    static let sql = "SELECT set_plan_picture($1, $2, $3, $4, $5)"
    let plan: SitePlanID
    let image: CleanImage?

    init(of plan: SitePlanID, _ image: CleanImage?) {
        self.plan = plan
        self.image = image
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(plan)
        parameters.append(image?.type)
        parameters.append(image.map { Int32($0.width) })
        parameters.append(image.map { Int32($0.height) })
        parameters.append(image?.bytes)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Reads the picture of a plan that whoever acts sees; no row where it has none.
struct ReadPlanPicture: Statement {
    static let sql = "SELECT p.type, p.digest, p.content FROM person_plan p WHERE p.plan_id = $1 AND p.type IS NOT NULL"

    struct Row: Sendable {
        var type: String
        var digest: [UInt8]
        var content: [UInt8]
    }

    let plan: SitePlanID
    init(of plan: SitePlanID) { self.plan = plan }
    func bind(_ parameters: inout Parameters) { parameters.append(plan) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(type: row.read(), digest: row.read(), content: row.read())
    }
}
