import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of a second device in the same water, with whose probes a device's are compared.
enum CompanionRoutes {
    static let all = [show, pair, part].forProjects()

    private static let member = Output<PersonPair.Member>.object(
        "PairedDevice", "A device of a pair.",
        [
            .member("id", .text, "Its id.", example: "pond-1") { $0.device },
            .member("name", .text, "The person's own name for it.", example: "Koi pond") { $0.name },
        ])

    private static let difference = Output<PersonPair.Difference>.object(
        "ProbeDifference", "How far the probes of a parameter lie apart, over the last six hours.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter.", example: "ph") {
                Parameter.Name($0.parameter)
            },
            .member(
                "unit", .choice(Unit.self),
                "The person's unit, or the canonical one where a difference has no fixed size in it.", example: "pH"
            ) { $0.told.unit },
            .member("decimals", .integer, "The digits behind the decimal mark of by.", example: 1) { $0.told.decimals },
            .member(
                "by", .optional(of: .decimal),
                "How much higher the first device reads, lower below zero: the median of at least \(ProbePair.leastPairs) pairs of values. Null: they have fewer in common.",
                example: 0.4
            ) { difference in difference.by.map { difference.told.number($0) } },
            .member(
                "since", .optional(of: .timestamp), "Since when the person is told of it as a fault; null: it is none.",
                example: .null
            ) { $0.since },
        ])

    private static let pairing = Output<PersonPair>.object(
        "DevicePair", "Two devices in the same water.",
        [
            .member("first", member, "The device whose probes are told of.") { $0.first },
            .member("second", member, "The device with whose probes they are compared.") { $0.second },
            .member("pairedAt", .timestamp, "Since when.") { $0.pairedAt },
            .member("comparedAt", .optional(of: .timestamp), "When they were compared last; null: not yet.") {
                $0.comparedAt
            },
            .member("differences", .list(of: difference), "Of what both measure, and whose probes can be compared.") {
                $0.differences
            },
        ])

    private static let output = Output<PersonPair?>.object(
        "SecondProbe", "With which device another is compared.",
        [.member("pair", .optional(of: pairing), "The pair; null: the device is in none.") { $0 }])

    private static let text = """
        Where two devices of one owner stand in the same water, what both measure is compared every ten minutes. A difference is told, as a fault of the \
        probe, when the median of the last six hours has lain beyond twice what readings of a well kept monitor may be off by (USGS Techniques and Methods \
        1-D3) for two hours: once a day at most, and to whoever has both devices. It ends by itself. Compared are \
        \(ProbeTolerance.parameters.map(\.name).joined(separator: ", ")).
        """

    private static let show = Route<Caller>(
        .get, "/devices/{device}/second", id: "showSecondProbe", tag: DeviceRoutes.tag, access: .read,
        "Show with which device another is compared", text: text,
        inputs: [DeviceInputs.device], answers: .json(.ok, output), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            .value(try transaction.execute(FindPair(of: try transaction.personDevice(id).key)).first)
        }
    }

    private static let second = Input.field("second", .hardwareID, "The second device, of the same owner.")

    private static let pair = Route<Caller>(
        .put, "/devices/{device}/second", id: "pairDevices", tag: DeviceRoutes.tag, access: .write,
        "Say that a second device stands in the same water",
        text: text + " Each device is in one pair at most. The pair ends when one of the two is given up.",
        inputs: [DeviceInputs.device, second], answers: .json(.ok, output),
        problems: [.notFound, .ownerOnly, .notForSites]
    ) { caller, inputs in
        let (id, other) = (inputs[DeviceInputs.device], inputs[second])
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.ownDevice(id)
            try transaction.personDevice(id).requireDevice()
            switch try transaction.execute(PairDevices(id, with: other))[0] {
            case .paired, .same: return .value(try transaction.execute(FindPair(of: device)).first)
            case .unknown: throw Problem(second, .notOwnDevice)
            case .taken: throw Problem(second, .inOtherPair)
            }
        }
    }

    private static let part = Route<Caller>(
        .delete, "/devices/{device}/second", id: "partDevices", tag: DeviceRoutes.tag, access: .write,
        "Compare a device with no other any more",
        text: "Of either device of a pair. Where it is in none, nothing changes.",
        inputs: [DeviceInputs.device], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            _ = try transaction.ownDevice(id)
            _ = try transaction.execute(PartDevices(of: id))
            return .nothing
        }
    }
}

extension Fault {
    fileprivate static let inOtherPair = Fault("in-other-pair")
}
