import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of periods that an owner approves.
enum ApprovalRoutes {
    static let all = [list, approve, withdraw].forProjects()
    private static let listID = "listApprovals"

    private static let approval = Input<ApprovalID>.path("approval", .id, "Its id.")
    private static let from = Input.field(
        "from", .timestamp.example("2026-05-01T12:00:00Z"), "The beginning of the first hour (UTC).")
    private static let until = Input.field(
        "until", .timestamp.example("2026-05-02T12:00:00Z"), "The end of the last hour, 366 days later at most.")
    private static let note = Input.optionalField(
        "note", .text(1...500).example(.null), "What is to be said of the period.")
    private static let reason = Input.optionalField(
        "reason", .text(1...500).example(.null), "Why it is withdrawn.")
    private static let before = Input<ApprovalPlace?>.cursor(of: listID, ApprovalPlace.self)
    private static let limit = Input.limit(1...100, default: 20)

    private static let list = Route<Caller>(
        .get, "/devices/{device}/approvals", id: listID, tag: "Readings", access: .read,
        "List the periods of a device that were approved",
        text: """
            In the tank in which the person has or had the device last, newest first, with those that were withdrawn. Hours that no approval \
            covers are provisional.
            """,
        inputs: [DeviceInputs.device, before, limit], answers: .json(.ok, .page(of: Approval.output)),
        problems: [.notFound]
    ) { caller, inputs in
        let (id, before, limit) = (inputs[DeviceInputs.device], inputs[before], inputs[limit])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = try transaction.execute(
                PageApprovals(on: try transaction.device(id), before: before, limit: limit + 1))
            return .value(Page(rows, limit: limit, of: listID, key: { ApprovalPlace($0) }))
        }
    }

    private static let approve = Route<Caller>(
        .post, "/devices/{device}/approvals", id: "approvePeriod", tag: "Readings", access: .write,
        "Approve a period of a device",
        text: """
            As the owner: the readings of these hours were looked through. They show as approved in reports, in CSV and in the app, and none of \
            them can be deleted. A period that is approved already is answered as it stands.
            """,
        inputs: [DeviceInputs.device, from, until, note, Input<String?>.idempotencyKey],
        answers: .json(.created, Approval.output), problems: [.notFound, .ownerOnly],
        creates: { caller, inputs, encoding in
            let (id, note) = (inputs[DeviceInputs.device], inputs[note])
            let (start, end) = (inputs[from], inputs[until])
            guard start < end else { throw Problem(from, .periodEnds) }
            guard end <= start + .seconds(366 * 86_400) else { throw Problem(until, .approvalTooLong) }
            for (input, time) in [(from, start), (until, end)] {
                guard time.roundedDown(to: RollUpSchedule.hour) == time else { throw Problem(input, .notWholeHours) }
            }
            return try await caller.scope.creation(encoding) { transaction, _ in
                let tank = try transaction.tank(of: id)
                let device = DeviceKey(slot: tank.key.slot, device: tank.device)
                let found = try transaction.execute(
                    ApprovePeriod(device: device, period: start..<end, note: note)
                ).first
                switch found?.outcome {
                case .created, .same: break
                case .notOwner: throw Problem(.ownerOnly)
                case .tooLate: throw Problem(from, .beforeTheTank)
                case .tooEarly: throw Problem(until, .periodNotOver)
                case .unknown, nil: throw Problem(.notFound)
                }
                guard let approval = found?.id else { throw Problem(.notFound) }
                return .value(try transaction.approval(approval, in: tank))
            }
        })

    private static let withdraw = Route<Caller>(
        .post, "/devices/{device}/approvals/{approval}/withdraw", id: "withdrawApproval", tag: "Readings",
        access: .write, "Withdraw an approval",
        text: "As the owner. Its hours are provisional again; that they were approved stays in the list.",
        inputs: [DeviceInputs.device, approval, reason], answers: .json(.ok, Approval.output),
        problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (id, approval) = (inputs[DeviceInputs.device], inputs[approval])
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: id)
            let device = DeviceKey(slot: tank.key.slot, device: tank.device)
            switch try transaction.execute(
                WithdrawApproval(device: device, id: approval, reason: inputs[reason])
            ).first {
            case .done: break
            case .notOwner: throw Problem(.ownerOnly)
            case .unknown, nil: throw Problem(.notFound)
            }
            return .value(try transaction.approval(approval, in: tank))
        }
    }
}

extension PostgresTransaction {
    fileprivate func approval(_ id: ApprovalID, in tank: Tank) throws -> Approval {
        guard let found = try execute(FindApproval(id, in: tank.key)).first else { throw Problem(.notFound) }
        return found
    }
}
