import HTTPTypes
import Postgres
import Routes
import Store

/// Routes of the picture below a plan's tanks.
enum PlanPictureRoutes {
    static let all = [put, show, remove]

    private static let path: RoutePath = "/plans/{plan}/picture"

    private static let put = Route<Caller>(
        .put, path, id: "putPlanPicture", tag: PlanRoutes.tag, access: .write, "Give a plan its picture",
        text: """
            The body is the picture: JPEG, PNG or WebP, at most 300 KB and 4096 pixels a side, not animated. Everything beside the \
            picture is left out, such as where and with what it was taken, so turn it upright before. Tanks stay where they are.
            """,
        inputs: [PlanInputs.plan, PlanInputs.condition],
        answers: .json(.ok, .placedPlan, headers: [.eTag]),
        problems: [.notFound, .administratorsOnly] + CleanImage.problems
    ) { caller, inputs in
        let plan = inputs[PlanInputs.plan]
        let body = caller.body
        return try await caller.scope.changePlan(plan, inputs[PlanInputs.condition]) { transaction in
            _ = try transaction.execute(SetPlanPicture(of: plan, try CleanImage(body: body)))
        }
    }
    .taking(.image(most: PeopleServer.largestFile))

    private static let show = Route<Caller>(
        .get, path, id: "showPlanPicture", tag: PlanRoutes.tag, access: .read, "Show the picture of a plan",
        text: "Its entity tag is the picture's tag in the plan.", inputs: [PlanInputs.plan],
        answers: .file("image/*", "The picture.", headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let plan = inputs[PlanInputs.plan]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let read = try transaction.execute(ReadPlanPicture(of: plan)).first else { throw Problem(.notFound) }
            let headers = HTTPFields(
                ofPicture: read.type, named: "\(plan)", EntityTag(picture: read.digest),
                cacheControl: "private, no-cache")
            return .value(read.content, headers: headers)
        }
    }

    private static let remove = Route<Caller>(
        .delete, path, id: "removePlanPicture", tag: PlanRoutes.tag, access: .write, "Take a plan's picture away",
        text: "A blank grid stays, with the tanks where they are.", inputs: [PlanInputs.plan, PlanInputs.condition],
        answers: .json(.ok, .placedPlan, headers: [.eTag]), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let plan = inputs[PlanInputs.plan]
        return try await caller.scope.changePlan(plan, inputs[PlanInputs.condition]) { transaction in
            _ = try transaction.execute(SetPlanPicture(of: plan, nil))
        }
    }
}
