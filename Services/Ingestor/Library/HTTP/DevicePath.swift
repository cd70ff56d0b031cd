import WaterQuality

/// The target of a request's path: a topic, after the first slash, or the clock.
enum DevicePath: Equatable {
    case time
    case topic(Topic, String)

    /// The device in the topic.
    var device: Device.HardwareID? {
        guard case .topic(let topic, _) = self else { return nil }
        return topic.device
    }

    /// - Parameter path: The path as sent; the result is nil for an unknown one. ChirpStack appends its event behind a
    ///   `?`, which the body states as well.
    init?(_ path: String?) {
        guard let path, path.hasPrefix("/") else { return nil }
        if path == "/time" {
            self = .time
            return
        }
        let parts = path.dropFirst().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || parts[1].hasPrefix("event=") else { return nil }
        let text = String(parts[0])
        guard let topic = Topic(text), topic.subject == .readings || topic.subject == .senML else { return nil }
        self = .topic(topic, text)
    }
}

extension Topic.Subject {
    /// The media types of its payload, in lower case.
    var mediaTypes: [String] {
        self == .senML ? ["application/senml+json", "application/json"] : ["application/json"]
    }
}
