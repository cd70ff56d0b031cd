/// The words of a device about itself rather than about water: one message, or several that came soon after each other. A member is `nil`
/// where they do not say it.
package struct LifeReport: Hashable, Sendable {
    /// The firmware that said it. The raw values are stored, and a promise to clients.
    package enum Family: String, CaseIterable, Sendable {
        /// Firmware written for this service, such as our sketch.
        case native
        case tasmota
        case esphome
        case zigbee2MQTT
        /// A Shelly of the second generation or later.
        case shelly
        /// A Shelly of the first generation.
        case shellyGen1

        /// Whether versions of two devices can be compared: Zigbee devices of different makers number theirs each in their own way.
        var isComparable: Bool { self != .zigbee2MQTT }
    }

    package let family: Family
    package private(set) var version: String?
    /// A newer version that the firmware itself knows of.
    package private(set) var newer: String?
    /// The charge of the battery, in percent.
    package private(set) var battery: Float?
    /// The strength of the radio signal, in dBm.
    package private(set) var signal: Int16?
    /// The quality of a Zigbee radio link, 0 to 255; no measure of the signal in dBm.
    package private(set) var linkQuality: Int16?
    /// Seconds since the device was started.
    package private(set) var uptime: Int64?
    /// The reason that the firmware gives for its last start.
    package private(set) var reset: String?

    package init(_ family: Family) {
        self.family = family
    }

    package var isEmpty: Bool { self == LifeReport(family) }

    /// The most bytes of a version or of a reason; longer ones are cut.
    package static let longestText = 48
    private static let longestUptime = 100 * 365 * 86_400.0

    // MARK: Believing

    package mutating func keep(version text: String) { version = Self.kept(text) ?? version }
    package mutating func keep(newer text: String) { newer = Self.kept(text) ?? newer }
    package mutating func keep(reset text: String) { reset = Self.kept(text) ?? reset }

    /// - Parameter percent: Any other number is no charge.
    package mutating func keep(battery percent: Double) {
        if (0...100).contains(percent) { battery = Float(percent) }
    }

    /// - Parameter dBm: A radio that is off says 0, or a number above it.
    package mutating func keep(signal dBm: Double) {
        if (-127 ... -1).contains(dBm) { signal = Int16(dBm.rounded()) }
    }

    package mutating func keep(linkQuality quality: Double) {
        if (0...255).contains(quality) { linkQuality = Int16(quality.rounded()) }
    }

    package mutating func keep(uptime seconds: Double) {
        if (0...Self.longestUptime).contains(seconds) { uptime = Int64(seconds) }
    }

    /// Visible ASCII, with single blanks; `nil` where nothing is left of a text.
    private static func kept(_ text: String) -> String? {
        let words = text.utf8.split { !(0x21...0x7E).contains($0) }
        let kept = String(decoding: Array(words.joined(separator: [0x20])).prefix(longestText), as: UTF8.self)
        return kept.isEmpty ? nil : kept
    }

    // MARK: Putting together

    /// Takes over what a later report says. One of other firmware replaces all: the device was flashed anew.
    package mutating func take(_ later: LifeReport) {
        guard later.family == family else {
            self = later
            return
        }
        version = later.version ?? version
        newer = later.newer ?? newer
        battery = later.battery ?? battery
        signal = later.signal ?? signal
        linkQuality = later.linkQuality ?? linkQuality
        uptime = later.uptime ?? uptime
        reset = later.reset ?? reset
    }
}
