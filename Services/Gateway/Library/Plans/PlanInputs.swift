import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The inputs of the routes of plans.
enum PlanInputs {
    static let plan = Input<SitePlanID>.path("plan", .id, "The plan's id.")
    static let name = Input.field("name", Format<String>.visibleText(1...64, example: "Hatchery"), "Its name.")
    static let project = Input.optionalField(
        "project", .projectID, "A project whose tanks stand on it; the person's own unless given.")
    static let places = Input.field(
        "places", Format<[SitePlan.Place]>.list(of: .planPlace, count: 0...SitePlan.mostPlaces),
        "All tanks on the plan, each once.")

    static let condition = Input<EntityTagCondition>.ifMatch
}

extension Format where Value == SitePlan.Place {
    /// An object: device, x and y.
    fileprivate static let planPlace = object(
        [device, x, y], required: ["device", "x", "y"], example: ["device": "tank-1", "x": 250, "y": 500],
        or: .notPlace
    ) { members throws(Fault) in
        guard let device = try members[device], let x = try members[x], let y = try members[y] else { return nil }
        return SitePlan.Place(device: device.text, x: Int16(x), y: Int16(y))
    }

    private static let device = ObjectMember("device", Format<Device.HardwareID>.hardwareID)
    private static let x = ObjectMember("x", Format<Int>.integer(0...1000).example(250))
    private static let y = ObjectMember("y", Format<Int>.integer(0...1000).example(500))
}

extension Fault {
    fileprivate static let notPlace = Fault("not-a-place")
}

extension ProblemType {
    static let tooManyPlans = ProblemType("too-many-plans", .conflict)
}

extension PostgresTransaction {
    /// A plan that whoever acts sees.
    /// - Throws: `Problem(.notFound)`, for an unknown plan as for one that they do not see.
    func plan(_ id: SitePlanID) throws -> SitePlan {
        guard let plan = try execute(FindPlan(id)).first else { throw Problem(.notFound) }
        return plan
    }

    /// The same with its tanks.
    func placedPlan(_ id: SitePlanID) throws -> PlacedPlan {
        PlacedPlan(plan: try plan(id), places: try execute(ListPlanPlaces(of: id)))
    }
}

extension Scope {
    /// The same work for whoever owns what is named: the person, or a project for which they act.
    /// - Parameter owner: The account; throws `Problem(.notFound)` for what the person does not see.
    func owning(_ owner: @Sendable (PostgresTransaction) throws -> Account.ID) async throws -> Scope {
        try await transaction(TransactionOptions(isReadOnly: true)) { [self] transaction, account in
            let owner = try owner(transaction)
            return owner == account ? self : acting(for: owner)
        }
    }

    /// Changes a plan in the version that its client knows, for whoever it is of.
    /// - Throws: `Problem(.administratorsOnly)` for those who only see it, `Problem(.preconditionFailed)` for another version.
    func changePlan(
        _ plan: SitePlanID, _ condition: EntityTagCondition, _ change: @Sendable (PostgresTransaction) throws -> Void
    ) async throws -> Answer<PlacedPlan> {
        try await owning { try $0.plan(plan).account }.transaction { transaction, account in
            _ = try transaction.perform(LockAccount(account))
            try condition.requireMatch(try transaction.plan(plan).tag)
            try change(transaction)
            return try transaction.placedPlan(plan).answer()
        }
    }
}
