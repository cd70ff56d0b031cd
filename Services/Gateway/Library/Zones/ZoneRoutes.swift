import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of zones: outlines on the map, for which change is summed up.
enum ZoneRoutes {
    static let tag = "Map"
    static let all = [list, make, show, change, remove]

    private static let list = Route<Caller>(
        .get, "/zones", id: "listZones", tag: tag, access: .read, "List the zones that I see",
        text: "The person's own, and those of the projects in which they take part.",
        answers: .json(.ok, .list(of: .zone))
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            .value(try transaction.execute(ListZones()))
        }
    }

    private static let make = Route<Caller>(
        .post, "/zones", id: "makeZone", tag: tag, access: .write, "Draw a zone",
        text: """
            A person has \(Zone.most) at most, and so has a project, of which everybody who takes part in it sees them and its owners and \
            administrators change them.
            """,
        inputs: ZoneInputs.content + [ZoneInputs.project, Input<String?>.idempotencyKey],
        answers: .json(.created, .zone, headers: [.eTag, .location]),
        problems: [.notFound, .administratorsOnly, .tooManyZones],
        creates: { caller, inputs, encoding in
            let make = MakeZone(ZoneInputs.content(of: inputs), of: inputs[ZoneInputs.project])
            return try await caller.scope.creation(encoding) { transaction, _ in
                let made = try transaction.execute(make)[0]
                switch (made.outcome, made.zone) {
                case (.done, let zone?): return try transaction.zone(zone).answer(isNew: true)
                case (.refused, _): throw Problem(.administratorsOnly)
                case (.full, _): throw Problem(.tooManyZones)
                case (.unknown, _), (.done, nil): throw Problem(.notFound)
                }
            }
        })

    private static let show = Route<Caller>(
        .get, "/zones/{zone}", id: "showZone", tag: tag, access: .read, "Show a zone",
        inputs: [ZoneInputs.zone], answers: .json(.ok, .zone, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let zone = inputs[ZoneInputs.zone]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.zone(zone).answer()
        }
    }

    private static let change = Route<Caller>(
        .put, "/zones/{zone}", id: "changeZone", tag: tag, access: .write, "Change a zone",
        text: "All of it: its name, its outline, and whether it is a favourite.",
        inputs: ZoneInputs.content + [ZoneInputs.zone, ZoneInputs.condition],
        answers: .json(.ok, .zone, headers: [.eTag]), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let (id, condition) = (inputs[ZoneInputs.zone], inputs[ZoneInputs.condition])
        let content = ZoneInputs.content(of: inputs)
        return try await caller.scope.owning { try $0.zone(id).account }.transaction { transaction, account in
            _ = try transaction.perform(LockAccount(account))
            try transaction.zone(id).requireMatch(condition)
            guard try transaction.execute(ChangeZone(id, to: content))[0] else { throw Problem(.notFound) }
            return try transaction.zone(id).answer()
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/zones/{zone}", id: "removeZone", tag: tag, access: .write, "Remove a zone",
        text: "The devices and sites in it stay as they are.", inputs: [ZoneInputs.zone], answers: .nothing,
        problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let id = inputs[ZoneInputs.zone]
        return try await caller.scope.owning { try $0.zone(id).account }.transaction { transaction, _ in
            guard try transaction.execute(RemoveZone(id))[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }
}
