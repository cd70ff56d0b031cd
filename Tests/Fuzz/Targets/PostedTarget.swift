@testable import Ingestor

extension FuzzTarget {
    /// A device's request: its path, and behind a line break its body.
    static let posted = FuzzTarget(
        "posted",
        seeds: [
            "/aqua/v1/tank-1/readings\n" + #"{"time":"2026-05-01T12:00:00Z","readings":{"temperature":23.4,"ph":7.9}}"#,
            "/aqua/v1/tank-1/readings\n" + #"[{"time":1777636800,"ph":7.9}, {"time":1777636830,"ph":nan}]"#,
            "/aqua/v1/tank-1/readings\n"
                + #"{"end_device_ids":{"device_id":"a"},"uplink_message":{"decoded_payload":{"ph":7.9},"received_at":"2026-05-01T12:00:00Z"}}"#,
            "/aqua/v1/tank-1/readings?event=up\n"
                + #"{"deviceInfo":{"devEui":"a"},"time":"2026-05-01T12:00:00Z","data":"qg==","object":{"ph":7.9,"battery":3}}"#,
            "/aqua/v1/tank-1/senml\n" + #"[{"n":"ph","v":7.9}]"#, "/time\n", "/aqua/v1/tank-1/readings\n[]",
        ],
        words: [
            "/aqua/v1/", "tank-1", "/readings", "/senml", "/status", "/time", "?", "%2F", "..", "[", "]", "{", "}", ",",
            "{},", "[{}", #""}"#, #""time":"#, "nan", " ",
            "\"end_device_ids\":{}", "\"uplink_message\":{", "\"decoded_payload\":{", "\"received_at\":",
            "\"deviceInfo\":{}",
            "\"object\":{", "\"fCnt\":1", "?event=up",
        ]
    ) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(decoding: parts[0], as: UTF8.self)
        if case .topic(let topic, let name) = DevicePath(text) {
            let path = text.prefix { $0 != "?" }
            try promise(path.utf8.elementsEqual("/\(name)".utf8), "\(text.debugDescription) is read as \(name)")
            try promise(name.utf8.starts(with: "aqua/v1/\(topic.device)/".utf8), "\(name) is of \(topic.device)")
        }
        let body = Array(parts.last ?? [])
        if let message = NetworkEvent(body)?.message {
            try promise(NetworkEvent(message) == nil, "an uplink within an uplink")
            if let said = try? ReadingsPayload(message) { try promiseStorable(said.time) }
        }
        guard let posted = try? PostedPayloads(body) else { return }
        try promise((1...PostedPayloads.most).contains(posted.payloads.count), "\(posted.payloads.count) payloads")
        try promise(posted.payloads.reduce(0) { $0 + $1.count } <= body.count, "more than was sent")
        for payload in posted.payloads {
            try promise(payload.first == UInt8(ascii: "{") && payload.last == UInt8(ascii: "}"), "no object")
            // A single payload is read like one in an array.
            try promise(try PostedPayloads(payload).payloads == [payload], "read differently by itself")
        }
    }
}
