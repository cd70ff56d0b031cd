import MQTT
import WaterQuality

/// A device's topic: the device, and what its messages there are about.
///
/// All topics of a device begin with `aqua/v1/{device}/`, those of other firmware too, so that its key reaches no other
/// device; of SensorThings, whose topics a standard says, the id of the Datastream does. A topic of `readings` is parsed
/// without allocating.
struct Topic: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        /// `readings`, in our own format.
        case readings
        /// `status`: `online` or `offline`; or an object that says more of the device.
        case status
        /// Topics on which firmware speaks of itself alone.
        case life(LifeSource)
        /// `tele/SENSOR`: all measurements of a Tasmota device.
        case tasmotaSensor
        /// `tele/LWT`: whether a Tasmota device is connected.
        case tasmotaWill
        /// `sensor/{name}/state` of ESPHome, `reef-pi/{metric}` of reef-pi: a bare number. The parameter is nil where
        /// the name is not one's; without a unit the number is canonical.
        case number(Parameter?, Unit?)
        /// `zigbee2mqtt`: all measurements of a Zigbee device.
        case zigbee2MQTT
        /// `zigbee2mqtt/availability`: whether a Zigbee device answers.
        case zigbee2MQTTAvailability
        /// `shelly/events/rpc`: what changed in a Shelly of the second generation or later, or its whole status.
        case shellyEvents
        /// `shelly/status/{component}`: one component of such a Shelly; nil where it is no probe of the add-on.
        case shellyStatus(ProbeID?)
        /// `shelly/ext_temperatures`: the probes of a Shelly of the first generation.
        case shellyTemperatures
        /// `shelly/online`: whether a Shelly is connected.
        case shellyOnline
        /// `senml`: measurements with names, units and times (RFC 8428).
        case senML
        /// `v1.1/Datastreams('{device}:{parameter}')/Observations`: a value of SensorThings.
        case observation(Parameter)
    }

    var device: Device.HardwareID
    var subject: Subject

    private static let prefix: StaticString = "aqua/v1/"

    /// Filters that every Ingestor subscribes to.
    static let filters = ["aqua/v1/+/readings", "aqua/v1/+/status"]
    /// Filters that it subscribes to where the broker allows: brokers configured by an earlier version refuse them.
    static let firmwareFilters =
        [
            "tele/SENSOR", "tele/LWT", "sensor/+/state", "reef-pi/+", "zigbee2mqtt", "zigbee2mqtt/availability",
            "senml",
            "shelly/events/rpc", "shelly/status/+", "shelly/ext_temperatures", "shelly/online",
        ].map { "aqua/v1/+/\($0)" } + LifeSource.topics.map { "aqua/v1/+/\($0.topic)" } + [DatastreamName.topicFilter]

    /// - Parameter isShared: Whether the broker distributes the messages among all Ingestors.
    static func subscriptions(isShared: Bool) -> [MQTTSubscription] {
        let share = isShared ? "$share/aqua/" : ""
        return filters.map { MQTTSubscription(share + $0) }
            + firmwareFilters.map { MQTTSubscription(share + $0, isRequired: false) }
    }

    /// All filters that a session may be subscribed to.
    static let allFilters = [true, false].flatMap { subscriptions(isShared: $0).map(\.filter) }

    /// - Returns: nil for any other topic.
    init?(_ text: String) {
        let bytes = text.utf8.span
        let length = Self.prefix.utf8CodeUnitCount
        guard bytes.count > length, bytes.extracting(first: length).spells(Self.prefix) else {
            // Values by hand come from no device.
            guard let stream = DatastreamName(topic: text), !stream.isByHand else { return nil }
            self.device = stream.device
            self.subject = .observation(stream.parameter)
            return
        }
        let rest = bytes.extracting(droppingFirst: length)
        guard let slash = rest.firstSlash, let device = Device.HardwareID(utf8: rest.extracting(first: slash)),
            let subject = Subject(rest.extracting(droppingFirst: slash + 1))
        else { return nil }
        self.device = device
        self.subject = subject
    }

    /// Whether the topic is of a number whose name is no parameter. Devices may write any such topic, and firmware
    /// publishes retained messages.
    var isNameless: Bool { if case .number(nil, _) = subject { true } else { false } }

    /// Whether each message on the topic has a single parameter.
    var isSingle: Bool {
        switch subject {
        case .number(.some, _), .observation: true
        default: false
        }
    }

    /// Whether a client may publish there. MQTT lets brokers accept control characters and noncharacters, but the
    /// library that we publish with refuses them, and so ends the connection.
    static func isPublishable(_ text: String) -> Bool {
        text.utf8.count <= 65_535
            && text.unicodeScalars.allSatisfy { scalar in
                scalar != "+" && scalar != "#" && scalar.properties.generalCategory != .control
                    && !scalar.properties.isNoncharacterCodePoint
            }
    }

    /// The name that firmware gave a number.
    /// - Parameter text: A topic for which `isNameless` holds.
    static func name(in text: String) -> String {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        return levels.count > 4 ? String(levels[4]) : ""
    }

    /// Whether a topic has a meaning of its own beside readings: what the device shows, and its button.
    private func isReserved(_ topic: String) -> Bool {
        ["display", "button"].contains(topic.dropFirst("\(Self.prefix)\(device.text)/".count))
    }

    /// Whether an answer to this device may be sent there: below its own topics, and to none that Ingestors read.
    ///
    /// Limited to topics that every broker takes: a broker that refuses one ends the connection, on which all devices depend.
    func allowsReceipt(to responseTopic: String) -> Bool {
        let bytes = responseTopic.utf8
        return responseTopic.hasPrefix("\(Self.prefix)\(device.text)/") && bytes.count <= 256
            && bytes.count { $0 == UInt8(ascii: "/") } <= 16
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") }
            && Topic(responseTopic) == nil && !isReserved(responseTopic)
    }
}

extension Topic.Subject {
    /// Parses the part after the device's id.
    fileprivate init?(_ rest: Span<UInt8>) {
        if rest.spells("readings") {
            self = .readings
        } else if rest.spells("status") {
            self = .status
        } else if rest.spells("tele/SENSOR") {
            self = .tasmotaSensor
        } else if rest.spells("tele/LWT") {
            self = .tasmotaWill
        } else if rest.spells("senml") {
            self = .senML
        } else if rest.spells("zigbee2mqtt") {
            self = .zigbee2MQTT
        } else if rest.spells("zigbee2mqtt/availability") {
            self = .zigbee2MQTTAvailability
        } else if rest.spells("shelly/events/rpc") {
            self = .shellyEvents
        } else if rest.spells("shelly/ext_temperatures") {
            self = .shellyTemperatures
        } else if rest.spells("shelly/online") {
            self = .shellyOnline
        } else if let component = rest.level(between: "shelly/status/", and: "") {
            self = .shellyStatus(ProbeID(shellyComponent: rest.extracting(component)))
        } else if let name = rest.level(between: "sensor/", and: "/state") {
            self = .number(Parameter(name: rest.extracting(name)), nil)
        } else if let metric = rest.level(between: "reef-pi/", and: "") {
            let sensor = ReefPiMetric(rest.extracting(metric))
            self = .number(sensor?.parameter, sensor?.unit)
        } else if let source = Self.lifeSource(rest) {
            self = .life(source)
        } else {
            return nil
        }
    }
}

extension Topic.Subject {
    private static func lifeSource(_ rest: Span<UInt8>) -> LifeSource? {
        for (topic, source) in LifeSource.topics where rest.spells(topic) { return source }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether the bytes are this word.
    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != word.utf8Start[index] { return false }
        return true
    }

    fileprivate var firstSlash: Int? {
        for index in indices where self[index] == UInt8(ascii: "/") { return index }
        return nil
    }

    /// The range of the single topic level between a given beginning and end.
    fileprivate func level(between start: StaticString, and end: StaticString) -> Range<Int>? {
        let (head, tail) = (start.utf8CodeUnitCount, end.utf8CodeUnitCount)
        guard count >= head + tail, extracting(first: head).spells(start), extracting(last: tail).spells(end) else {
            return nil
        }
        let level = head..<(count - tail)
        return extracting(level).firstSlash == nil ? level : nil
    }
}
