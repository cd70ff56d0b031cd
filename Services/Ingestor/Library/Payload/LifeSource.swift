/// A topic on which firmware speaks of itself alone. Other firmware does so beside its readings, or with its status.
enum LifeSource: Equatable, Sendable {
    /// `tele/STATE` of Tasmota, every TelePeriod.
    case tasmotaState
    /// `tele/INFO1` and `tele/INFO3` of Tasmota, once after each start.
    case tasmotaStart
    /// `text_sensor/version/state` of ESPHome.
    case esphomeVersion
    /// `text_sensor/reset_reason/state` of ESPHome.
    case esphomeReset
    /// `shelly/info`: the status of a Shelly of the first generation.
    case shellyInfo

    /// Each topic below a device's own.
    static let topics: [(topic: StaticString, source: LifeSource)] = [
        ("tele/STATE", .tasmotaState), ("tele/INFO1", .tasmotaStart), ("tele/INFO3", .tasmotaStart),
        ("text_sensor/version/state", .esphomeVersion), ("text_sensor/reset_reason/state", .esphomeReset),
        ("shelly/info", .shellyInfo),
    ]
}
