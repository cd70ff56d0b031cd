import WaterQuality

@testable import Ingestor

extension FuzzTarget {
    /// A topic, and behind a line break the response topic of the same message.
    static let topic = FuzzTarget(
        "topic",
        seeds: [
            "aqua/v1/tank-1/readings\naqua/v1/tank-1/receipts", "aqua/v1/A_b-9/status",
            "aqua/v1/x/readings\naqua/v1/x/a/b",
            "$share/aqua/aqua/v1/+/readings",
        ],
        words: ["aqua/v1/", "/readings", "/status", "tank-1", "+", "#", "/", "\u{301}", "é", "\0", "aqua/v1/tank-1/"]
    ) { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(decoding: parts[0], as: UTF8.self)
        guard let topic = Topic(text) else { return }
        let written = "aqua/v1/\(topic.device.text)/\(topic.subject.rawValue)"
        try promise(written.utf8.elementsEqual(text.utf8), "\(text.debugDescription) is taken for \(written)")
        try promise(Topic(written) == topic, "\(written) is read differently")

        let response = String(decoding: parts.last ?? [], as: UTF8.self)
        guard topic.allowsReceipt(to: response) else { return }
        try promise(
            response.utf8.starts(with: "aqua/v1/\(topic.device.text)/".utf8),
            "an answer to \(response.debugDescription)")
        try promise(
            response.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2B && $0 != 0x23 }, "no topic to write to")
        try promise(Topic(response) == nil, "an answer that would be taken for a reading")
    }
}
