import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of chains: who is told when nobody answers.
enum ChainRoutes {
    static let all = [show, set, rehearse, asked, agree]

    private static let show = Route<Caller>(
        .get, "/devices/{device}/chain", id: "showChain", tag: AlertRoutes.tag.name, access: .read,
        "Show who is told when nobody answers", inputs: [DeviceInputs.device],
        answers: .json(.ok, Chain.output, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.chain(of: try transaction.personDevice(id)).answer
        }
    }

    private static let steps = Input.field(
        "steps", .list(of: Format<ChainStepInput>.chainStep, count: 0...ChainStepInput.most),
        "In the order of their minutes; each person, and each endpoint, once. None: there is no chain.")

    private static let set = Route<Caller>(
        .put, "/devices/{device}/chain", id: "setChain", tag: AlertRoutes.tag.name, access: .write,
        "Set who is told when nobody answers",
        text: """
            So many minutes after an alarm of the person's about the device, each step is told of it, unless somebody has answered: another \
            person who shares the device and has agreed to it, or an endpoint of the person's own, which is not told at once then. \
            An answer of anybody who shares the device holds the steps back for an hour, a snooze of the person's as long as it lasts; \
            then they begin anew. The \
            whole is gone through three times at most, an hour apart. Whoever was called is told when it is over, or somebody is on it. \
            What waits for the end of quiet hours calls nobody before. The same again changes nothing. If-Match takes the ETag of the \
            chain, which is of the steps, and not of what others have agreed to.
            """,
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch, steps],
        answers: .json(.ok, Chain.output, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, steps) = (inputs[DeviceInputs.device], inputs[steps])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        guard steps.map(\.after) == steps.map(\.after).sorted() else { throw Problem(Self.steps, .unordered) }
        guard Set(steps.map(\.target)).count == steps.count else { throw Problem(Self.steps, .twice) }
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id)
            guard try transaction.execute(LockChains(of: device.key)).first == true else { throw Problem(.notFound) }
            let current = try transaction.chain(of: device)
            guard current.chosen != steps else { return current.answer }
            try condition.requireMatch(current.tag)
            switch try transaction.execute(SetChain(steps, of: device.key)).first {
            case .set: return try transaction.chain(of: device).answer
            case .noPerson: throw Problem(Self.steps, .notAmongPeople)
            case .noEndpoint: throw Problem(Self.steps, .notAmongEndpoints)
            case .unknown, nil: throw Problem(.notFound)
            }
        }
    }

    private static let at = Input.optionalQuery("at", .timestamp, "When the alarm would come; now unless given.")

    private static let rehearse = Route<Caller>(
        .get, "/devices/{device}/chain/rehearsal", id: "rehearseChain", tag: AlertRoutes.tag.name, access: .read,
        "See who would be told when, for an alarm at some time", text: "Nothing rings.",
        inputs: [DeviceInputs.device, at], answers: .json(.ok, ChainRehearsal.output), problems: [.notFound]
    ) { caller, inputs in
        let (id, at) = (inputs[DeviceInputs.device], inputs[at])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let device = try transaction.personDevice(id).key
            let alarm = try at ?? transaction.execute(ReadClock())[0]
            return .value(
                ChainRehearsal(
                    at: alarm, waitsUntil: try transaction.execute(ReadQuietEnd(account: account, time: alarm)).first,
                    steps: try transaction.execute(ShowChain(of: device, alarm: alarm))))
        }
    }

    private static let asked = Route<Caller>(
        .get, "/calls", id: "listAskedCalls", tag: AlertRoutes.tag.name, access: .read,
        "List who wants to call me when they do not answer", answers: .json(.ok, .list(of: AskedCall.output))
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            .value(try transaction.execute(ListAskedCalls()))
        }
    }

    private static let person = Input.path("person", .ownershipID, "The id of the other person's part in the device.")
    private static let agreed = Input.field(
        "agreed", .choice(CallAgreement.self), "no; daytime: not within the person's quiet hours; always.")

    private static let agree = Route<Caller>(
        .put, "/devices/{device}/calls/{person}", id: "agreeToCalls", tag: AlertRoutes.tag.name, access: .write,
        "Say whether somebody may call me when they do not answer",
        text: "It holds until that person takes the person out of their chain, or either of them gives the device up.",
        inputs: [DeviceInputs.device, person, agreed], answers: .json(.ok, AskedCall.output), problems: [.notFound]
    ) { caller, inputs in
        let (id, person, agreed) = (inputs[DeviceInputs.device], inputs[person], inputs[agreed])
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id).key
            guard try transaction.execute(AgreeToCalls(device: device, caller: person, agreed: agreed)).first == true,
                let asked = try transaction.execute(ListAskedCalls()).first(where: {
                    $0.device == id.text && $0.person.id == person
                })
            else { throw Problem(.notFound) }
            return .value(asked)
        }
    }
}

extension PostgresTransaction {
    fileprivate func chain(of device: PersonDevice) throws -> Chain {
        try Chain(
            ownership: device.ownership, steps: execute(ShowChain(of: device.key, alarm: nil)),
            people: execute(ListCallable(of: device.key)), last: execute(ReadLastEscalation(of: device.key)).first)
    }

    /// The calls for what an alert of the person's is about; nil where nobody is to be called.
    func calls(of alert: AlertKey) throws -> AlertCalls? {
        let items = try execute(ListCalls(of: alert))
        let next = try execute(ReadNextCall(of: alert)).first
        guard !items.isEmpty || next != nil else { return nil }
        return AlertCalls(items: items, next: next?.next, heldUntil: next?.heldUntil)
    }
}
