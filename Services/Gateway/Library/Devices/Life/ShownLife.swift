import Instants
import Routes
import Store
import WaterQuality

/// The life of a device, as its person is shown it.
struct ShownLife: Sendable {
    let device: PersonDevice
    /// `nil` while it has said nothing of itself.
    let known: KnownLife?
    let isOlder: Bool
    let now: Timestamp
    /// Only of a device by itself.
    var changes: [LifeChange] = []

    init(_ device: PersonDevice, _ known: KnownLife?, beside versions: FirmwareVersions, now: Timestamp) {
        self.device = device
        self.known = known
        self.now = now
        isOlder = versions.areNewer(than: known?.version, of: known?.family.known)
    }

    /// Reasons to lend a hand. The raw values are a promise to clients.
    enum Need: String, CaseIterable, Sendable {
        case battery, signal, restarts, firmware
    }

    var restartsADay: Int { known?.life.restartsADay(now: now) ?? 0 }
    var daysLeft: Int? { known?.life.daysLeft(now: now) }

    var needs: [Need] {
        guard let known else { return [] }
        var needs: [Need] = []
        if known.life.isBatteryLow(now: now) { needs.append(.battery) }
        if known.life.isSignalWeak { needs.append(.signal) }
        if restartsADay > 0 { needs.append(.restarts) }
        if isOlder || known.newer != nil { needs.append(.firmware) }
        return needs
    }
}

extension Output where Value == ShownLife {
    /// Of each device of a list.
    static let life = Output.object("DeviceLife", "How a device lives, by what it says of itself.", members)

    /// Of a device by itself.
    static let lifeAtLength = Output.object(
        "DeviceLifeAtLength", "How a device lives and has lived, by what it says of itself.",
        members + [
            .member(
                "days", .list(of: .lifeDay), "The days on which it said something, the last sixty, the earliest first."
            ) { $0.known?.life.days ?? [] },
            .member(
                "changes", .list(of: .lifeChange),
                "Changes of its version and of the reason of its start, the latest first."
            ) { $0.changes },
        ])

    private static let members: [OutputMember<ShownLife>] = [
        .member("device", .text, "The device's id.", example: "pond-1") { $0.device.hardwareID },
        .member(
            "family", .optional(of: .text),
            "The firmware: native, tasmota, esphome, zigbee2MQTT, shelly or shellyGen1; null while it has said nothing of itself, as all that follows.",
            example: "tasmota"
        ) { $0.known?.family.rawValue },
        .member("version", .optional(of: .text), "Its version, in its own words.", example: "14.2.0(tasmota32)") {
            $0.known?.version
        },
        .member("versionSince", .optional(of: .timestamp), "Since when that version is known to run.") {
            $0.known?.versionAt
        },
        .member(
            "isOlder", .boolean, "Whether another of the person's devices runs a newer version of the same firmware.",
            example: false
        ) { $0.isOlder },
        .member(
            "newer", .optional(of: .text), "A newer version that its firmware knows of. Nothing here installs it.",
            example: .null
        ) { $0.known?.newer },
        .member("battery", .optional(of: .decimal), "What is left of its battery, in percent.", example: 78) {
            $0.known?.life.battery?.value.shownDouble
        },
        .member("batteryAt", .optional(of: .timestamp), "When it said that.") { $0.known?.life.battery?.at },
        .member(
            "daysLeft", .optional(of: .integer),
            "In how many days the battery is empty, if it goes on as in the last weeks; null where it does not fall, or is known for less than a week.",
            example: 35
        ) { $0.daysLeft },
        .member("signal", .optional(of: .integer), "The strength of its radio signal, in dBm.", example: -70) {
            $0.known?.life.signal.map { Int($0.value) }
        },
        .member("signalAt", .optional(of: .timestamp), "When it said that.") { $0.known?.life.signal?.at },
        .member(
            "linkQuality", .optional(of: .integer), "The quality of its Zigbee link, from 0 to 255.", example: .null
        ) { $0.known?.linkQuality.map { Int($0) } },
        .member("startedAt", .optional(of: .timestamp), "When it was started last, by its uptime.") {
            $0.known?.startedAt
        },
        .member(
            "resetReason", .optional(of: .text), "The reason of that, in the firmware's words.", example: "brownout"
        ) { $0.known?.reset },
        .member(
            "restartsADay", .integer, "How often it starts anew on a day, of late; 0 where it seldom does.", example: 0
        ) { $0.restartsADay },
        .member("notedAt", .optional(of: .timestamp), "When it last said something of itself.") { $0.known?.notedAt },
        .member(
            "needs", .list(of: .choice(ShownLife.Need.self)),
            "What asks for a hand: a battery that is low or soon empty, a weak signal, many restarts, old firmware.",
            example: .array([])
        ) { $0.needs },
        .member(
            "silence", .optional(of: .silenceHint), "Of a silent device: what probably explains it.", example: .null
        ) { $0.device.silenceHint },
    ]
}

extension Output where Value == DeviceLife.Day {
    fileprivate static let lifeDay = Output.object(
        "DeviceLifeDay", "A day of a device.",
        [
            .member("day", .text, "The day, by UTC.", example: "2026-05-01") { $0.day.text },
            .member("battery", .optional(of: .decimal), "The least charge of it, in percent.", example: 77) {
                $0.battery?.shownDouble
            },
            .member("signal", .optional(of: .integer), "The weakest signal of it, in dBm.", example: -74) {
                $0.signal.map { Int($0) }
            },
            .member("restarts", .integer, "How often it was seen to have started anew.", example: 0) { $0.restarts },
        ])
}

extension Output where Value == LifeChange {
    fileprivate static let lifeChange = Output.object(
        "DeviceLifeChange", "A change of what a device says of itself.",
        [
            .member("at", .timestamp, "When it was noted.") { $0.at },
            .member("kind", .text, "version, or reset: the reason of a start.", example: "version") { $0.kind },
            .member("from", .optional(of: .text), "What it said before; null: nothing.", example: "1.7.2") {
                $0.former
            },
            .member("to", .text, "What it says since.", example: "1.8.0") { $0.value },
        ])
}

extension Output where Value == SilenceHint {
    static let silenceHint = Output.object(
        "SilenceHint", "What a device had said of itself before it fell silent, which probably explains it.",
        [
            .member(
                "kind", .choice(SilenceHint.Kind.self),
                "battery: it was low; restarts: it starts anew again and again; signal: it was weak; signals: it was weak before each silence of late.",
                example: "battery"
            ) { $0.kind },
            .member(
                "number", .integer, "The battery in percent, the restarts of a day, or the signal in dBm.", example: 4
            ) { $0.number },
        ])
}
