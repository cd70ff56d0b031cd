import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of a project's shifts, which decide who is told.
enum ShiftRoutes {
    static let all = [show, set, cover, always]

    private static let show = Route<Caller>(
        .get, "/projects/{project}/shifts", id: "showShifts", tag: ProjectRoutes.tag, access: .read,
        "Show the shifts of a project", inputs: [ProjectInputs.project],
        answers: .json(.ok, Rota.output, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[ProjectInputs.project]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.rota(of: id).answer
        }
    }

    private static let shifts = Input.field(
        "shifts", .list(of: Format<Shift>.shift, count: 0...Shift.most),
        "All of them, in their order. None: all members are told at all times.")
    private static let timeZone = Input.optionalField(
        "timeZone", .text(1...64).example("Europe/Vienna"), "The time zone of their times; as it is unless given.")

    private static let set = Route<Caller>(
        .put, "/projects/{project}/shifts", id: "setShifts", tag: ProjectRoutes.tag, access: .write,
        "Set the shifts of a project",
        text: """
            Members who stand in shifts are told of the project's devices on shift alone, and at once then, in quiet hours as well; when a shift \
            begins they hear in one message what goes on. While nobody is on shift whom something reaches, all are told, and so is always who \
            stands in none. Of a parameter that nobody on shift watches as closely as the project does all are told, too. Times are those of \
            the project's time zone, across changes of clocks. The same again changes nothing.
            """,
        inputs: [ProjectInputs.project, Input<EntityTagCondition>.ifMatch, shifts, timeZone],
        answers: .json(.ok, Rota.output, headers: [.eTag]), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let (id, shifts, wish) = (inputs[ProjectInputs.project], inputs[shifts], inputs[timeZone])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        let ids = shifts.compactMap(\.id)
        guard Set(ids).count == ids.count else { throw Problem(Self.shifts, .twice) }
        return try await caller.scope.transaction { transaction, _ in
            let current = try transaction.rota(of: id)
            var zone = current.standing.timeZone
            if let wish {
                guard let found = try transaction.execute(FindTimeZone(wish)).first else {
                    throw Problem(timeZone, .unknownTimeZone)
                }
                zone = found
            }
            if current.shifts == shifts, zone == current.standing.timeZone { return current.answer }
            try condition.requireMatch(current.tag)
            let set = SetShifts(project: id, version: current.standing.version, timeZone: zone, shifts: shifts)
            switch try transaction.execute(set)[0] {
            case .done: return try transaction.rota(of: id).answer
            case .unknown: throw Problem(.notFound)
            case .refused: throw Problem(.administratorsOnly)
            case .changed: throw Problem(.preconditionFailed)
            case .stranger: throw Problem(Self.shifts, .notMember)
            }
        }
    }

    private static let shift = Input.field("shift", Format<ShiftID>.id, "The shift.")
    private static let day = Input.field("day", Format<CivilDay>.day, "The day on which the turn begins.")
    private static let from = Input.field("from", Format<Int64>.ownershipID, "The member whose turn it is.")
    private static let member = Input.field(
        "member", Format<Int64>.ownershipID, "The member who takes it; the same: whose it is has it again.")

    private static let cover = Route<Caller>(
        .put, "/projects/{project}/shifts/cover", id: "coverShift", tag: ProjectRoutes.tag, access: .write,
        "Take somebody's shift of a day, or give it",
        text: """
            By either of the two, or by who may act for the project; of the next 60 days, and 200 of a project. Both are told of it by the log of \
            their accounts.
            """,
        inputs: [ProjectInputs.project, shift, day, from, member], answers: .nothing,
        problems: [.notFound, .administratorsOnly, .tooManyCovers]
    ) { caller, inputs in
        let take = CoverShift(
            project: inputs[ProjectInputs.project], shift: inputs[shift], day: inputs[day], from: inputs[from],
            member: inputs[member])
        return try await caller.scope.transaction { transaction, _ in
            switch try transaction.execute(take)[0] {
            case .done: return .nothing
            case .unknown: throw Problem(.notFound)
            case .stranger: throw Problem(from, .notMember)
            case .strangeTaker: throw Problem(member, .notMember)
            case .refused: throw Problem(.administratorsOnly)
            case .noShift, .past, .tooFar: throw Problem(day, .noTurn)
            case .full: throw Problem(.tooManyCovers)
            }
        }
    }

    private static let isAlways = Input.field(
        "always", .boolean, "true: told at all times; false: as the shifts say.")

    private static let always = Route<Caller>(
        .put, "/projects/{project}/shifts/me", id: "tellAlways", tag: ProjectRoutes.tag, access: .write,
        "Say whether I am told off shift as well", inputs: [ProjectInputs.project, isAlways], answers: .nothing,
        problems: [.notFound]
    ) { caller, inputs in
        let choice = TellAlways(project: inputs[ProjectInputs.project], isAlways: inputs[isAlways])
        return try await caller.scope.transaction { transaction, _ in
            guard try transaction.execute(choice)[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }
}

extension Fault {
    fileprivate static let noTurn = Fault("no-turn")
}

extension PostgresTransaction {
    /// The shifts of a project in which the named person takes part.
    /// - Throws: `Problem(.notFound)`, for an unknown project as for one in which they do not.
    fileprivate func rota(of project: Account.ID) throws -> Rota {
        guard let standing = try execute(ReadRota(of: project)).first else { throw Problem(.notFound) }
        return Rota(
            standing: standing, shifts: try execute(ListShifts(of: project)),
            covers: try execute(ListCovers(of: project)), turns: try execute(ListTurns(of: project)))
    }
}
