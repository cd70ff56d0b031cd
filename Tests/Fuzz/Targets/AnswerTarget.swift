import Instants
import PushClient
import Secrets
import WaterQuality

@testable import Notifier

extension FuzzTarget {
    /// The answer of a webhook's receiver: `Retry-After`, and, each on a line, the headers of a signed message and its
    /// body.
    static let answer = FuzzTarget(
        "answer",
        seeds: [
            "120", "Sun, 06 Nov 1994 08:49:37 GMT",
            "msg_1\n1777636800\nv1,\(String(repeating: "A", count: 43))= v2,x\n{}",
        ],
        words: ["GMT", "Sun, ", "Nov", "9223372036854775808", "-", "\n", "v1,", "==", " ", "1777636800", "08:49:37"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let now = Timestamp(microseconds: 1_777_636_800_000_000)
        if let delay = RetryAfter.delay(text, now: now) {
            try promise(delay >= .zero && delay <= RetryAfter.longest, "\(text) is a delay of \(delay)")
        }
        let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, let secret = WebhookSecret(bytes: Array(repeating: 7, count: 32)) else { return }
        let body = Array(lines[3].utf8)
        func verdict(_ signatures: String) -> WebhookSecret.Verdict {
            secret.verify(
                id: lines[0], timestamp: lines[1], signatures: signatures, body: body, now: 1_777_636_800)
        }
        try promise(verdict(lines[2]) != .valid, "a signature was guessed")
        guard let time = Int64(lines[1]) else { return }
        let ours = verdict(secret.signature(id: lines[0], timestamp: time, body: body) + " " + lines[2])
        try promise(ours == .valid || ours == .outOfTime, "our own signature is \(ours)")
    }
}
