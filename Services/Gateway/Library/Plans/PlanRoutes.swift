import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of plans: pictures of sites with tanks on them.
enum PlanRoutes {
    static let tag = "Plans"
    static let all = [list, make, show, rename, place] + PlanPictureRoutes.all + [remove]

    private static let list = Route<Caller>(
        .get, "/plans", id: "listPlans", tag: tag, access: .read, "List the plans that I see",
        text: "The person's own, and those of the projects in which they take part.",
        answers: .json(.ok, .list(of: .plan))
    ) { caller, _ in
        try await caller.scope.transaction { transaction, _ in .value(try transaction.execute(ListPlans())) }
    }

    private static let make = Route<Caller>(
        .post, "/plans", id: "makePlan", tag: tag, access: .write, "Begin a plan",
        text: """
            It is a blank grid at first. A person has \(SitePlan.most) at most, and so has a project, of which everybody who takes part in it sees them \
            and its owners and administrators change them.
            """,
        inputs: [PlanInputs.name, PlanInputs.project, Input<String?>.idempotencyKey],
        answers: .json(.created, .placedPlan, headers: [.eTag, .location]),
        problems: [.notFound, .administratorsOnly, .tooManyPlans],
        creates: { caller, inputs, encoding in
            let make = MakePlan(inputs[PlanInputs.name], of: inputs[PlanInputs.project])
            return try await caller.scope.creation(encoding) { transaction, _ in
                let made = try transaction.execute(make)[0]
                switch (made.outcome, made.plan) {
                case (.done, let plan?): return try transaction.placedPlan(plan).created()
                case (.refused, _): throw Problem(.administratorsOnly)
                case (.full, _): throw Problem(.tooManyPlans)
                case (.unknown, _), (.done, nil): throw Problem(.notFound)
                }
            }
        })

    private static let show = Route<Caller>(
        .get, "/plans/{plan}", id: "showPlan", tag: tag, access: .read, "Show a plan with its tanks",
        inputs: [PlanInputs.plan], answers: .json(.ok, .placedPlan, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let plan = inputs[PlanInputs.plan]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.placedPlan(plan).answer()
        }
    }

    private static let rename = Route<Caller>(
        .patch, "/plans/{plan}", id: "renamePlan", tag: tag, access: .write, "Give a plan another name",
        inputs: [PlanInputs.plan, PlanInputs.condition, PlanInputs.name],
        answers: .json(.ok, .placedPlan, headers: [.eTag]), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let (plan, name) = (inputs[PlanInputs.plan], inputs[PlanInputs.name])
        return try await caller.scope.changePlan(plan, inputs[PlanInputs.condition]) { transaction in
            _ = try transaction.execute(RenamePlan(plan, name))
        }
    }

    private static let place = Route<Caller>(
        .put, "/plans/{plan}/places", id: "placeTanks", tag: tag, access: .write, "Say where tanks stand on a plan",
        text: """
            All of them: what is not named is taken off. Of the owner of the plan, a person or a project, which has to own the devices. A device \
            that is given up, or moves into a project, leaves the plan by itself.
            """,
        inputs: [PlanInputs.plan, PlanInputs.condition, PlanInputs.places],
        answers: .json(.ok, .placedPlan, headers: [.eTag]), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let (plan, places) = (inputs[PlanInputs.plan], inputs[PlanInputs.places])
        guard Set(places.map(\.device)).count == places.count else { throw Problem(PlanInputs.places, .repeated) }
        return try await caller.scope.changePlan(plan, inputs[PlanInputs.condition]) { transaction in
            switch try transaction.execute(PlaceTanks(on: plan, places))[0] {
            case .placed: break
            case .unknown: throw Problem(.notFound)
            case .notOwn: throw Problem(PlanInputs.places, .notOwnDevice)
            }
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/plans/{plan}", id: "removePlan", tag: tag, access: .write, "Remove a plan",
        text: "The tanks stay as they are.", inputs: [PlanInputs.plan], answers: .nothing,
        problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let plan = inputs[PlanInputs.plan]
        return try await caller.scope.owning { try $0.plan(plan).account }.transaction { transaction, _ in
            guard try transaction.execute(RemovePlan(plan))[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }
}
