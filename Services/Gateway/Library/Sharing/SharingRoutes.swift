import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Routes by which an owner lets others watch a device.
enum SharingRoutes {
    static let tag = "Sharing"
    static let all = [invite, list, revoke, watchers, remove].forProjects() + InvitationRoutes.all

    private static let lifetime = Duration.seconds(7 * 86_400)

    private static let readings = Input.field(
        "readings", .choice(DeviceInvitation.Readings.self), default: .sinceJoining,
        "From when on they see readings: sinceJoining; sinceAlarm: since the first of the owner's alarms began that are "
            + "open when they join, of readings that the owner may see. Without an open alarm both are the same.")

    private static let invite = Route<Caller>(
        .post, "/devices/{device}/invitations", id: "inviteWatcher", tag: tag, access: .fresh,
        "Invite somebody to watch a device",
        text: """
            Makes a link that works once, within seven days. Whoever takes it up sees the device from then on, with limits \
            and alerts of their own. For somebody who is asked to look at what goes on, it can show what was measured since \
            the alarm began as well; nobody is alerted of that.
            """,
        inputs: [DeviceInputs.device, readings, Input<String?>.idempotencyKey],
        answers: .json(.created, .madeInvitation),
        problems: [.notFound, .ownerOnly, .tooManyInvitations],
        creates: { caller, inputs, encoding in
            let (id, readings) = (inputs[DeviceInputs.device], inputs[readings])
            let token = WatchInvitation.generate()
            let link = "\(caller.scope.services.origin.text)/join#\(token.text)"
            return try await caller.scope.creation(encoding) { transaction, account in
                let device = try transaction.lockOwnDevice(id, of: account)
                let add = AddDeviceInvitation(
                    device: device, account: account, tokenHash: token.hash, lifetime: lifetime,
                    readings: readings)
                guard let invitation = try transaction.execute(add).first else { throw Problem(.tooManyInvitations) }
                return .value(MadeInvitation(invitation: invitation, token: token, link: link))
            }
        })

    private static let list = Route<Caller>(
        .get, "/devices/{device}/invitations", id: "listInvitations", tag: tag, access: .read,
        "List the invitations of a device", text: "Newest first, without their links.",
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .invitation)), problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, account in
            let device = try transaction.ownDevice(id)
            return .value(try transaction.execute(ListDeviceInvitations(of: device, by: account)))
        }
    }

    private static let invitation = Input.path(
        "invitation",
        .reading("invitation id", example: "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e", count: 36...36) {
            text throws(Fault) in
            guard let id = DeviceInvitation.ID(text) else { throw .notUUID }
            return id
        }, "The id of the invitation.")

    private static let revoke = Route<Caller>(
        .delete, "/devices/{device}/invitations/{invitation}", id: "revokeInvitation", tag: tag, access: .write,
        "Take an invitation back", text: "Whoever has joined by it stays; remove the watcher instead.",
        inputs: [DeviceInputs.device, invitation], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (id, invitation) = (inputs[DeviceInputs.device], inputs[invitation])
        return try await caller.scope.transaction { transaction, account in
            let device = try transaction.ownDevice(id)
            let revoke = RevokeDeviceInvitation(invitation, of: device, by: account)
            guard try transaction.perform(revoke) == 1 else { throw Problem(.notFound) }
            return .nothing
        }
    }

    private static let watchers = Route<Caller>(
        .get, "/devices/{device}/watchers", id: "listWatchers", tag: tag, access: .read,
        "List who watches a device", text: "In the order in which they joined.",
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .watcher)), problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            .value(try transaction.execute(ListWatchers(of: try transaction.ownDevice(id))))
        }
    }

    private static let watcher = Input.path("watcher", .ownershipID, "The id of the watcher.")

    private static let remove = Route<Caller>(
        .delete, "/devices/{device}/watchers/{watcher}", id: "removeWatcher", tag: tag, access: .fresh,
        "Remove a watcher", text: "They no longer see the device, and their alerts on their way are cancelled.",
        inputs: [DeviceInputs.device, watcher], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (id, watcher) = (inputs[DeviceInputs.device], inputs[watcher])
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.ownDevice(id)
            guard
                let found = try transaction.execute(ListWatchers(of: device)).first(where: { $0.ownership == watcher }),
                try transaction.execute(EndWatching(device: device, account: found.account))[0]
            else { throw Problem(.notFound) }
            return .nothing
        }
    }
}
