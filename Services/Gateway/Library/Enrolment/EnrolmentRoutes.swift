import HTTPTypes
import People
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// Routes of making devices without an operator: people ask, the enroller makes, and the page that asked reads what is shown once.
enum EnrolmentRoutes {
    static let tag = "Enrolment"
    static let all = [
        show, look.takingUpTo(PeopleServer.largestFile), ask.takingUpTo(PeopleServer.largestFile), renewKey, list, drop,
    ]
    .forProjects()

    private static let show = Route<Caller>(
        .get, "/enrolment", id: "showEnrolment", tag: tag, access: .session, "Show whether devices can be enrolled",
        answers: .json(.ok, .enrolment)
    ) { caller, _ in
        try await caller.scope.transaction { transaction, _ in .value(try transaction.execute(ShowEnrolment())[0]) }
    }

    private static let look = Route<Caller>(
        .post, "/enrolment/look", id: "lookAtEnrolmentList", tag: tag, access: .session, "Look at a list of devices",
        text: "Says of each line what would become of it, and everything that is wrong with the list. Nothing is done.",
        inputs: [EnrolmentInputs.csv], answers: .json(.ok, LookedAtList.output), problems: [.notAllowedHere],
        limit: .heavy
    ) { caller, inputs in
        let csv = Array(inputs[EnrolmentInputs.csv].utf8)
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard try transaction.execute(ShowEnrolment())[0].isAllowed else { throw Problem(.notAllowedHere) }
            let own = try transaction.ownPresets()
            let list = EnrolmentList(csv, most: Enrolment.most) { name in
                // Of two of one name the account's own comes first.
                own.first { $0.name == name }.map { "\($0.id)" } ?? Preset(rawValue: name)?.rawValue
            }
            let rows = try transaction.execute(LookAtIDs(list.entries.map(\.id)))
            let standings = Dictionary(rows.map { ($0.id, $0.standing) }, uniquingKeysWith: { first, _ in first })
            return .value(
                LookedAtList(
                    devices: list.entries.map {
                        LookedAtList.Device(
                            entry: $0, presetName: Self.name(of: $0.preset, own, caller.scope.language),
                            standing: standings[$0.id.text] ?? .taken)
                    }, faults: list.faults))
        }
    }

    private static func name(of preset: String?, _ own: [OwnPreset], _ language: Language) -> String? {
        switch preset.flatMap(PresetChoice.init) {
        case .known(let preset): preset.name(in: language)
        case .own(let id): own.first { $0.id == id }?.name
        case nil: nil
        }
    }

    private static let ask = Route<Caller>(
        .post, "/enrolment", id: "enrolDevices", tag: tag, access: .fresh, "Enrol devices",
        text: """
            One such request of an account at a time. The devices are made while the answer is looked at; key and claim code are shown once, to whoever \
            has the private key that belongs to `key`.
            """,
        inputs: [
            EnrolmentInputs.key, EnrolmentInputs.links, EnrolmentInputs.devices, Input<String?>.idempotencyKey,
        ],
        answers: .json(.accepted, AskedEnrolment.output),
        problems: [.notAllowedHere, .batchOpen, .tooManyDevices, .tooManyToday, .enrollerSilent], limit: .heavy,
        creates: { caller, inputs, encoding in
            let devices = try EnrolmentInputs.wanted(inputs[EnrolmentInputs.devices])
            let ask = AskEnrolment(
                kind: .make, page: inputs[EnrolmentInputs.key], links: inputs[EnrolmentInputs.links], devices: devices)
            return try await caller.scope.creation(encoding) { transaction, _ in
                for case .own(let id)? in Set(devices.map(\.preset)) {
                    guard try !transaction.ownPresets(id).isEmpty else {
                        throw Problem(EnrolmentInputs.devices, .unknownPreset)
                    }
                }
                return .value(AskedEnrolment(batch: try transaction.asking(ask)))
            }
        })

    private static let renewKey = Route<Caller>(
        .post, "/devices/{device}/key", id: "renewDeviceKey", tag: tag, access: .fresh, "Give a device a new key",
        text: """
            As its owner. The former key ends as soon as the new one is made, and the device's connection with it: the device is away until it has \
            the new one.
            """,
        inputs: [DeviceInputs.device, EnrolmentInputs.key, Input<String?>.idempotencyKey],
        answers: .json(.accepted, AskedEnrolment.output),
        problems: [.notFound, .ownerOnly, .batchOpen, .tooManyToday, .enrollerSilent],
        creates: { caller, inputs, encoding in
            let (id, key) = (inputs[DeviceInputs.device], inputs[EnrolmentInputs.key])
            return try await caller.scope.creation(encoding) { transaction, _ in
                let device = try transaction.personDevice(id)
                guard device.role == .known(.owner) else { throw Problem(.ownerOnly) }
                let ask = AskEnrolment(
                    kind: .rotate, page: key, links: true, devices: [WantedDevice(id: id, name: device.name)])
                return .value(AskedEnrolment(batch: try transaction.asking(ask)))
            }
        })

    private static let list = Route<Caller>(
        .get, "/enrolment/batches/{batch}", id: "showEnrolmentBatch", tag: tag, access: .session,
        "Show what has become of devices that I asked for",
        inputs: [EnrolmentInputs.batch], answers: .json(.ok, ShownEnrolment.output), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[EnrolmentInputs.batch]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let found = try transaction.execute(FindEnrolment(id)).first else { throw Problem(.notFound) }
            return .value(
                ShownEnrolment(
                    kind: found.kind, isDone: found.isDone,
                    devices: try transaction.execute(ListEnrolledDevices(of: id))))
        }
    }

    private static let drop = Route<Caller>(
        .delete, "/enrolment/batches/{batch}", id: "dropEnrolmentBatch", tag: tag, access: .session,
        "Delete what was sealed for me",
        text: "Devices that are made stay, and those that wait are called off. A key that is on its way is waited for.",
        inputs: [EnrolmentInputs.batch], answers: .nothing, problems: [.notFound, .batchOpen]
    ) { caller, inputs in
        let id = inputs[EnrolmentInputs.batch]
        return try await caller.scope.transaction { transaction, _ in
            switch try transaction.execute(DropEnrolment(id))[0] {
            case .dropped: return .nothing
            case .unknown: throw Problem(.notFound)
            case .open: throw Problem(.batchOpen)
            }
        }
    }
}

extension PostgresTransaction {
    /// - Throws: `Problem`: why nothing was asked for.
    fileprivate func asking(_ ask: AskEnrolment) throws -> EnrolmentID {
        let answer = try execute(ask)[0]
        switch answer.outcome {
        case .asked: break
        case .silent: throw Problem(.enrollerSilent, retryAfter: .seconds(60))
        case .notAllowed: throw Problem(.notAllowedHere)
        case .open: throw Problem(.batchOpen)
        case .tooManyDevices: throw Problem(.tooManyDevices)
        case .tooManyToday: throw Problem(.tooManyToday)
        case .notOwn: throw Problem(.notFound)
        }
        guard let batch = answer.batch else { throw Problem(.internalError) }
        return batch
    }
}
