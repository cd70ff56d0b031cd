import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of tests by hand.
enum HandTestRoutes {
    static let all = [put] + [list, delete].forProjects()

    private static let list = Route<Caller>(
        .get, "/devices/{device}/tests", id: HandTestInputs.listID, tag: KitRoutes.tag, access: .read,
        "List the tests of a device's water, newest first",
        text: "Of the tanks that the person has or had the device in; those of others are theirs.",
        inputs: [DeviceInputs.device, HandTestInputs.before, HandTestInputs.limit],
        answers: .json(.ok, .page(of: ShownHandTest.output)), problems: [.notFound]
    ) { caller, inputs in
        let (id, limit) = (inputs[DeviceInputs.device], inputs[HandTestInputs.limit])
        let before = inputs[HandTestInputs.before]?.place ?? .newest
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let device = try transaction.device(id)
            let rows = try transaction.execute(PageHandTests(of: device, below: before, limit: limit + 1))
            let limits = try transaction.limits(of: device, account, for: rows.map(\.content.at))
            let page = Page(rows, limit: limit, of: HandTestInputs.listID, key: { HandTestCursor($0) })
            return .value(page.map { ShownHandTest($0, by: limits) })
        }
    }

    private static let put = Route<Caller>(
        .put, "/devices/{device}/tests/{test}", id: "putTest", tag: KitRoutes.tag, access: .write,
        "Write down a test of the water",
        text: """
            The client chooses the id, so that what is sent twice counts once: without If-Match a test is created, and the same again \
            answers the same. With it the version that it names is changed, by whoever made the test or by the owner.

            The answer says of each value what it means for the person's limits. Everybody else who shares the device is told of a value \
            beyond their own limits, unless the test is more than a day old.

            A value that cannot be is refused. One that is far from the last value by hand, or else of the probe, is answered \
            `please-confirm`, and taken when the same is sent with confirmed: true.
            """,
        inputs: [
            DeviceInputs.device, HandTestInputs.test, Input<EntityTagCondition?>.ifMatchOfChange, HandTestInputs.at,
            HandTestInputs.kit, HandTestInputs.note, HandTestInputs.values, HandTestInputs.confirmed,
        ],
        answers: .json(.created, ShownHandTest.output, alternatives: [.ok], headers: [.eTag]),
        problems: [.notFound, .ownerOnly, .pleaseConfirm, .testOfSample]
    ) { caller, inputs in
        let (id, test) = (inputs[DeviceInputs.device], inputs[HandTestInputs.test])
        let condition = inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        return try await caller.scope.transaction { transaction, account in
            let device = try transaction.personDevice(id).key
            let content = try HandTestInputs.content(inputs, now: try transaction.execute(ReadClock())[0])
            let limits = try transaction.limits(of: device, account, for: [content.at])
            var (choice, version) = try transaction.choice(condition, on: test, of: device, content, limits)
            if choice != .keep {
                if !inputs[HandTestInputs.confirmed] {
                    try transaction.ask(content, of: device, id, except: test)
                }
                switch try transaction.execute(
                    PutHandTest(id: test, device: device, version: version, content: content)
                ).first {
                case .created, .changed: break
                // The same may have come by another request in between.
                case .stale where choice == .create:
                    (choice, version) = try transaction.choice(condition, on: test, of: device, content, limits)
                    guard choice == .keep else { throw Problem(.preconditionFailed) }
                case .stale: throw Problem(.preconditionFailed)
                case .notTheirs: throw Problem(.ownerOnly)
                case .ofSample: throw Problem(.testOfSample)
                case .unknown, nil: throw Problem(.notFound)
                }
            }
            guard let stored = try transaction.execute(ReadHandTest(test, of: device)).first else {
                throw Problem(.notFound)
            }
            let shown = ShownHandTest(stored, by: limits)
            return .value(
                shown, status: choice == .create ? .created : .ok, headers: [.eTag: shown.tag.description])
        }
    }

    private static let delete = Route<Caller>(
        .delete, "/devices/{device}/tests/{test}", id: "deleteTest", tag: KitRoutes.tag, access: .write,
        "Delete a test of the water", text: "As whoever made it may, and the owner.",
        inputs: [DeviceInputs.device, HandTestInputs.test], answers: .nothing,
        problems: [.notFound, .ownerOnly, .testOfSample]
    ) { caller, inputs in
        let (id, test) = (inputs[DeviceInputs.device], inputs[HandTestInputs.test])
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id).key
            switch try transaction.execute(DeleteHandTest(id: test, device: device)).first {
            case .deleted: return .nothing
            case .notTheirs: throw Problem(.ownerOnly)
            case .ofSample: throw Problem(.testOfSample)
            case .unknown, nil: throw Problem(.notFound)
            }
        }
    }
}

extension ProblemType {
    static let pleaseConfirm = ProblemType("please-confirm", .conflict)
    fileprivate static let testOfSample = ProblemType("test-of-sample", .conflict)
}

extension PostgresTransaction {
    /// - Returns: The effect of a request on a test as it is, and the version that it changes.
    fileprivate func choice(
        _ condition: EntityTagCondition?, on test: HandTestID, of device: DeviceKey, _ content: HandTestContent,
        _ limits: OwnLimits
    ) throws -> (ClientChoice, version: Int32?) {
        let current = try execute(ReadHandTest(test, of: device)).first
        let choice = try ClientChoice(
            condition, current: current.map { ShownHandTest($0, by: limits).tag }, isSame: current?.content == content)
        return (choice, choice == .change ? current?.version : nil)
    }

    /// Asks about numbers that are far from the last ones.
    /// - Parameter test: The test itself, of which former values are not among the last.
    /// - Throws: `Problem(.pleaseConfirm)`, which names them.
    fileprivate func ask(
        _ content: HandTestContent, of device: DeviceKey, _ id: Device.HardwareID, except test: HandTestID
    ) throws {
        let typed = content.values.filter { $0.choice == nil }
        guard !typed.isEmpty else { return }
        let known = try lastKnown(of: device, id, except: test)
        let unlikely = typed.filter {
            !TypingCheck.expected($0.parameter, after: known[$0.parameter]?.value).contains($0.value)
        }
        guard !unlikely.isEmpty else { return }
        throw Problem(
            .pleaseConfirm,
            parameters: [
                .init(
                    "values",
                    .array(
                        unlikely.map { value in
                            let last = known[value.parameter].map { JSON.number($0.value.shownDouble) } ?? .null
                            return [
                                "parameter": .string(value.parameter.name), "value": .number(value.read),
                                "unit": .string(value.unit.rawValue),
                                "canonicalValue": .number(value.value.shownDouble), "last": last,
                            ]
                        }))
            ])
    }
}
