import Synchronization
import TestSupport

/// Answers to be given one after the other.
final class Script: Sendable {
    private let answers: Mutex<[WebhookSink.Answer]>

    init(_ answers: [WebhookSink.Answer]) {
        self.answers = Mutex(answers)
    }

    /// nil when all have been given.
    func next() -> WebhookSink.Answer? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
