import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of a device's temperature probes, and of choosing the one in the water.
enum ProbeRoutes {
    static let all = [list, choose].forProjects()

    private static let list = Route<Caller>(
        .get, "/devices/{device}/probes", id: "listProbes", tag: DeviceRoutes.tag, access: .read,
        "List the temperature probes of a device",
        text: """
            Those that firmware names and that reported within seven days, in the order of their ids, and the chosen one in any \
            case. Their values are noted every few minutes, and only while a device reports others than the chosen one. Of the \
            ETag the choice is part, and not the values.
            """,
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .probe), headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, account in
            try transaction.probes(of: try transaction.personDevice(id), account).answer
        }
    }

    private static let probe = Input.field(
        "id",
        .reading(
            "probe id", example: "00000566CC39", count: 1...ProbeID.longest, pattern: "^[0-9A-Fa-f]+$"
        ) { text throws(Fault) in
            guard let id = ProbeID(text) else { throw .pattern }
            return id
        }, "The id of the probe that is in the water.")

    private static let choose = Route<Caller>(
        .put, "/devices/{device}/probes/chosen", id: "chooseProbe", tag: DeviceRoutes.tag, access: .write,
        "Choose the probe that is in the water",
        text: """
            For everybody who has the device; only its owner may. The temperature is that of this probe with its next \
            reading. Readings that are stored stay, and the course of the temperature, of which fast changes and what is told \
            ahead are read, begins anew. If-Match takes the ETag of the list.
            """,
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch, probe],
        answers: .json(.ok, .list(of: .probe), headers: [.eTag]),
        problems: [.notFound, .ownerOnly, .notForSites]
    ) { caller, inputs in
        let (id, probe) = (inputs[DeviceInputs.device], inputs[probe])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        return try await caller.scope.transaction { transaction, account in
            let owned = try transaction.lockOwnDevice(id, of: account)
            let device = try transaction.personDevice(id)
            try device.requireDevice()
            try condition.requireMatch(try transaction.probes(of: device, account).tag)
            guard try transaction.execute(ChoosePersonProbe(probe, of: owned))[0] else {
                throw Problem(Self.probe, .notReported)
            }
            return try transaction.probes(of: device, account).answer
        }
    }
}

extension Fault {
    fileprivate static let notReported = Fault("not-reported")
}

/// The probes of a device, in the unit of the person who asks.
private struct Probes: Sendable {
    struct One: Sendable {
        let probe: KnownProbe
        let unit: Unit?

        /// The scale of the person's unit; the canonical one where that unit has no such value.
        var scale: UnitScale { Parameter.temperature.scale(chosen: unit, telling: Double(probe.temperature ?? 0)) }
    }

    let ownership: Int64
    let all: [One]

    /// The version of the choice. Unlinking a device and linking it again changes it.
    var tag: EntityTag { EntityTag("o\(ownership)-\(all.first(where: \.probe.isChosen)?.probe.id ?? "")") }
    var answer: Answer<[One]> { .value(all, headers: [.eTag: tag.description]) }
}

extension Output where Value == Probes.One {
    fileprivate static let probe = Output.object(
        "Probe", "A temperature probe of a device.",
        [
            .member("id", .text, "The id that it has from its maker.", example: "00000566CC39") { $0.probe.id },
            .member("chosen", .boolean, "Whether it measures the device's temperature.", example: true) {
                $0.probe.isChosen
            },
            .member(
                "value", .optional(of: .decimal),
                "Its last value in the person's unit; null: it reported an error, or nothing was noted of it.",
                example: 23.4
            ) { one in one.probe.temperature.flatMap { one.scale.fromCanonical(Double($0))?.shown } },
            .member("unit", .choice(Unit.self), "The person's unit; the canonical one where it has no such value.") {
                $0.scale.unit
            },
            .member("reportedAt", .optional(of: .timestamp), "When that was; null: nothing was noted of it.") {
                $0.probe.reportedAt
            },
        ])
}

extension PostgresTransaction {
    fileprivate func probes(of device: PersonDevice, _ account: Account.ID) throws -> Probes {
        let key = WatchKey(device: device.key, parameter: .temperature, account: account)
        let unit = try execute(ReadSetting(key)).first.flatMap { Unit(rawValue: $0.unit) }
        return Probes(
            ownership: device.ownership,
            all: try execute(ListPersonProbes(of: device.key)).map { Probes.One(probe: $0, unit: unit) })
    }
}
