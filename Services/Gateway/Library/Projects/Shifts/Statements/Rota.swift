import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The version and the zone of a project's shifts, and the named person's choice. No row: they do not take part.
struct ReadRota: Statement {
    static let sql = """
        SELECT version, time_zone, always_told, is_reached, gaps_since, gaps_until FROM show_rota($1)
        """

    struct Row: Sendable {
        /// 0 while no shifts have been set.
        var version: Int32
        var timeZone: String
        var isAlwaysTold: Bool
        /// Whether somebody is on shift whom something reaches.
        var isReached: Bool
        var gapsSince: [Timestamp]
        var gapsUntil: [Timestamp]
    }

    let project: Account.ID
    init(of project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            version: row.read(), timeZone: row.read(), isAlwaysTold: row.read(), isReached: row.read(),
            gapsSince: row.read([Timestamp].self), gapsUntil: row.read([Timestamp].self))
    }
}

/// The shifts of a project, in their order.
struct ListShifts: Statement {
    static let sql = "SELECT shift_id, name, days, begins, ends, members FROM list_shifts($1)"
    let project: Account.ID
    init(of project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> Shift {
        try Shift(
            id: row.read(), name: row.read(), days: Set(mask: row.read(Int16.self)),
            from: Int(row.read(Int32.self)), until: Int(row.read(Int32.self)),
            members: Set(row.read([Int64].self)))
    }
}

/// Turns that others take, from yesterday on.
struct ListCovers: Statement {
    static let sql = "SELECT shift_id, day::text, member, covered_by FROM list_covers($1)"
    let project: Account.ID
    init(of project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> ShiftCover {
        try ShiftCover(shift: row.read(), day: row.read(), from: row.read(), member: row.read())
    }
}

/// The turns of a week, each with who is on shift.
struct ListTurns: Statement {
    static let sql = "SELECT shift_id, day::text, since, until, members FROM list_turns($1)"
    let project: Account.ID
    init(of project: Account.ID) { self.project = project }
    func bind(_ parameters: inout Parameters) { parameters.append(project) }
    static func decode(_ row: inout RowReader) throws -> ShiftTurn {
        try ShiftTurn(
            shift: row.read(), day: row.read(), since: row.read(), until: row.read(),
            members: row.read([Int64].self))
    }
}

/// Names of those who were told of what an alert of the named person's is about because they were on shift.
struct ListToldOnShift: Statement {
    static let sql = "SELECT told_on_shift($1, $2)"
    let alert: AlertKey
    init(of alert: AlertKey) { self.alert = alert }
    func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// Sets the shifts of a project as a whole, as the named person may.
struct SetShifts: Statement {
    static let sql = "SELECT set_shifts($1, $2, $3, $4::jsonb)"

    enum Outcome: String, CaseIterable, Sendable {
        case done
        /// The person does not take part.
        case unknown
        /// Keepers and viewers do not act for a project.
        case refused
        /// The shifts are of another version.
        case changed
        /// Somebody takes no part in the project.
        case stranger
    }

    let project: Account.ID
    /// The version that they replace.
    let version: Int32
    let timeZone: String
    let shifts: [Shift]

    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(version)
        parameters.append(timeZone)
        parameters.append(JSON.array(shifts.map(\.stored)).text)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

extension Shift {
    fileprivate var stored: JSON {
        [
            "id": id.map { .string("\($0)") } ?? .null, "name": .string(name), "days": .string("\(days.mask)"),
            "begins": .string("\(from)"), "ends": .string("\(until)"),
            "members": .array(members.sorted().map { .string("\($0)") }),
        ]
    }
}

/// Has a member take another's turn, as the named person may.
struct CoverShift: Statement {
    static let sql = "SELECT cover_shift($1, $2, $3::date, $4, $5)"

    enum Outcome: String, CaseIterable, Sendable {
        case done
        /// The person does not take part.
        case unknown
        /// The person whose turn it is, or who takes it, is no member.
        case stranger, strangeTaker
        /// The turn is neither given nor taken by the person, who may not act for the project either.
        case refused
        /// The member has no such turn on that day.
        case noShift
        case past, tooFar
        /// As many are taken as may be.
        case full
    }

    let project: Account.ID
    let shift: ShiftID
    let day: CivilDay
    let from: Int64
    let member: Int64

    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(shift)
        parameters.append(day.text)
        parameters.append(from)
        parameters.append(member)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Has the named person be told at all times of a project's devices, or as its shifts say; false where they do not take part.
struct TellAlways: Statement {
    static let sql = "SELECT tell_always($1, $2)"
    let project: Account.ID
    let isAlways: Bool
    func bind(_ parameters: inout Parameters) {
        parameters.append(project)
        parameters.append(isAlways)
    }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
