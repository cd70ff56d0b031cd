import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of work on the water.
enum WorkRoutes {
    static let all = [put] + [list, extend, finish, remove].forProjects()

    /// A page of work, with the one that goes on.
    private struct Shown: Sendable {
        var current: ShownWork?
        var page: Page<ShownWork>
    }

    private static let output = Output<Shown>.object(
        "WorkList", "Work on a device's water.",
        [
            .member("current", .optional(of: ShownWork.output), "What goes on now, the one that ends last.") {
                $0.current
            },
            .member("items", .list(of: ShownWork.output), "All of it, newest first.") { $0.page.items },
            .member("next", .optional(of: .text), "The cursor of the next page; null at the end.", example: .null) {
                $0.page.next
            },
        ])

    private static let limit = Input.limit(1...100, default: 20)

    private static let list = Route<Caller>(
        .get, "/devices/{device}/work", id: WorkInputs.listID, tag: DeviceRoutes.tag, access: .read,
        "List work on a device's water",
        inputs: [DeviceInputs.device, WorkInputs.before, limit], answers: .json(.ok, output), problems: [.notFound]
    ) { caller, inputs in
        let (id, before, limit) = (inputs[DeviceInputs.device], inputs[WorkInputs.before], inputs[limit])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let device = try transaction.personDevice(id).key
            let rows = try transaction.execute(PageWork(on: device, before: before, limit: limit + 1))
                .compactMap(\.self)
            let current = try transaction.execute(FindCurrentWork(device: device)).first ?? nil
            let page = Page(rows, limit: limit, of: WorkInputs.listID, key: { WorkPlace($0) })
            return .value(Shown(current: current, page: page))
        }
    }

    private static let put = Route<Caller>(
        .put, "/devices/{device}/work/{work}", id: "putWork", tag: DeviceRoutes.tag, access: .write,
        "Begin work on the water, or enter it afterwards",
        text: """
            While somebody works, no alarm begins, and what goes on is neither reminded of nor over: the first reading afterwards \
            decides. Only values beyond a person's critical limits are told. It ends by itself. Silence is not told of, and begins \
            anew at its end. What is measured meanwhile counts in no mean and no extreme. Of work that is entered afterwards, alarms \
            that began in it are called back.

            Everybody who shares the device may begin work. A tank can be worked on for twelve hours of any twenty-four. The client \
            chooses the id: the same request again changes nothing, another one needs If-Match, and the person who began it or the \
            owner.
            """,
        inputs: [
            DeviceInputs.device, WorkInputs.work, Input<EntityTagCondition?>.ifMatchOfChange, WorkInputs.kind,
            WorkInputs.from, WorkInputs.until, WorkInputs.minutes, WorkInputs.keepsHard,
        ],
        answers: .json(.created, ShownWork.output, alternatives: [.ok], headers: [.eTag]),
        problems: [.notFound, .workOfAnother, .workTooLong, .tooMuchWork]
    ) { caller, inputs in
        let (id, work) = (inputs[DeviceInputs.device], inputs[WorkInputs.work])
        let condition = inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id).key
            let known = try condition.map { condition in
                let current = try transaction.work(work, on: device)
                guard condition.matches(current.tag) else {
                    throw Problem(.preconditionFailed, headers: [.eTag: current.tag.description])
                }
                return current.version
            }
            let wish = try wish(inputs)
            let outcome = try transaction.execute(PutWork(device: device, id: work, wish: wish, known: known)).first
            switch outcome {
            case .created, .changed, .same: break
            case .foreign, nil: throw Problem(.notFound)
            case .stale: throw Problem(.preconditionFailed)
            case .notYours: throw Problem(.workOfAnother)
            case .tooLong: throw Problem(.workTooLong)
            case .tooMuch: throw Problem(.tooMuchWork)
            case .tooLate: throw Problem(WorkInputs.from, .workTooLongAgo)
            case .tooEarly: throw Problem(WorkInputs.from, .workToCome)
            }
            return try transaction.work(work, on: device).answer(isNew: outcome == .created)
        }
    }

    private static func wish(_ inputs: Inputs) throws -> PutWork.Wish {
        let (kind, from, until) = (inputs[WorkInputs.kind], inputs[WorkInputs.from], inputs[WorkInputs.until])
        var minutes = inputs[WorkInputs.minutes].map { Int32($0) }
        guard until == nil || minutes == nil else { throw Problem(WorkInputs.minutes, .workUntilOrMinutes) }
        if until == nil, minutes == nil { minutes = Int32(kind.usual.components.seconds / 60) }
        return PutWork.Wish(
            kind: kind, from: from, until: until, minutes: minutes, keepsHard: inputs[WorkInputs.keepsHard])
    }

    private static let extend = Route<Caller>(
        .post, "/devices/{device}/work/{work}/extend", id: "extendWork", tag: DeviceRoutes.tag, access: .write,
        "Let work last longer", text: "Everybody who shares the device may. Twelve hours in all at most.",
        inputs: [DeviceInputs.device, WorkInputs.work, WorkInputs.moreMinutes],
        answers: .json(.ok, ShownWork.output, headers: [.eTag]),
        problems: [.notFound, .workOver, .workTooLong, .tooMuchWork]
    ) { caller, inputs in
        try await change(caller, inputs, .extend(minutes: inputs[WorkInputs.moreMinutes]))
    }

    private static let finish = Route<Caller>(
        .post, "/devices/{device}/work/{work}/finish", id: "finishWork", tag: DeviceRoutes.tag, access: .write,
        "Finish work now",
        text: "Everybody who shares the device may. The next reading decides: what is out of range alarms.",
        inputs: [DeviceInputs.device, WorkInputs.work], answers: .json(.ok, ShownWork.output, headers: [.eTag]),
        problems: [.notFound, .workOver]
    ) { caller, inputs in try await change(caller, inputs, .finish) }

    private static let remove = Route<Caller>(
        .delete, "/devices/{device}/work/{work}", id: "removeWork", tag: DeviceRoutes.tag, access: .write,
        "Remove work that was entered by mistake",
        text: "What was measured counts again. Only whoever began it may, and the owner.",
        inputs: [DeviceInputs.device, WorkInputs.work], answers: .nothing, problems: [.notFound, .workOfAnother]
    ) { caller, inputs in
        let (id, work) = (inputs[DeviceInputs.device], inputs[WorkInputs.work])
        return try await caller.scope.transaction { transaction, _ in
            try transaction.change(work, on: try transaction.personDevice(id).key, .remove)
            return .nothing
        }
    }

    private static func change(
        _ caller: Caller, _ inputs: Inputs, _ change: ChangeWork.Change
    ) async throws -> Answer<ShownWork> {
        let (id, work) = (inputs[DeviceInputs.device], inputs[WorkInputs.work])
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id).key
            try transaction.change(work, on: device, change)
            return try transaction.work(work, on: device).answer()
        }
    }
}

extension PostgresTransaction {
    fileprivate func work(_ id: WorkID, on device: DeviceKey) throws -> ShownWork {
        guard let work = try execute(FindWork(device: device, id: id)).first ?? nil else { throw Problem(.notFound) }
        return work
    }

    fileprivate func change(_ id: WorkID, on device: DeviceKey, _ change: ChangeWork.Change) throws {
        switch try execute(ChangeWork(device: device, id: id, change: change)).first {
        case .done: break
        case .unknown, nil: throw Problem(.notFound)
        case .over: throw Problem(.workOver)
        case .notYours: throw Problem(.workOfAnother)
        case .tooLong: throw Problem(.workTooLong)
        case .tooMuch: throw Problem(.tooMuchWork)
        }
    }
}
