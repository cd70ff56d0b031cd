import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of how devices live: version, battery, signal, restarts.
enum LifeRoutes {
    static let all = [show, list].forProjects()

    private static let show = Route<Caller>(
        .get, "/devices/{device}/life", id: "showDeviceLife", tag: DeviceRoutes.tag, access: .read,
        "Show how a device lives",
        text: """
            What its firmware says of itself: the latest, the least of each day, and changes. A watcher sees what was said since \
            they see its readings. Everything is a notice, and nothing here alarms or commands the device.
            """,
        inputs: [DeviceInputs.device], answers: .json(.ok, .lifeAtLength), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        let now = caller.scope.services.clock.now()
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.explained([try transaction.personDevice(id)])[0]
            let versions = FirmwareVersions(try transaction.execute(ListPersonVersions()))
            let known = try transaction.execute(FindPersonLife(of: device.key)).first
            var shown = ShownLife(device, known, beside: versions, now: now)
            shown.changes = try transaction.execute(ListPersonLifeChanges(of: device.key))
            return .value(shown)
        }
    }

    private static let limit = Input.limit(1...200, default: 100)
    private static let cursor = Input.cursor(of: "listDeviceLives", String.self)

    private static let list = Route<Caller>(
        .get, "/device-lives", id: "listDeviceLives", tag: DeviceRoutes.tag, access: .read,
        "List how my devices live", text: "Of each device of the person, in the order of the list of devices.",
        inputs: [cursor, limit], answers: .json(.ok, .page(of: .life))
    ) { caller, inputs in
        let (limit, after) = (inputs[limit], inputs[cursor] ?? "")
        let now = caller.scope.services.clock.now()
        return try await caller.scope.transaction { transaction, _ in
            let devices = try transaction.explained(
                try transaction.execute(ListPersonDevices(after: after, limit: limit + 1)))
            let versions = FirmwareVersions(try transaction.execute(ListPersonVersions()))
            let lives = Dictionary(
                try transaction.execute(FindPersonLives(of: devices.map(\.key))).map { ($0.device, $0) },
                uniquingKeysWith: { $1 })
            let rows = devices.map { ShownLife($0, lives[$0.key], beside: versions, now: now) }
            return .value(Page(rows, limit: limit, of: "listDeviceLives", key: \.device.hardwareID))
        }
    }
}
