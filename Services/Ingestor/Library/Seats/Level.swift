import Synchronization

/// When the reader of a seat last found that nothing waits for it in the broker, as far as it can tell.
///
/// While it does not, devices may be heard late: it is no silence of theirs.
final class Level: Sendable {
    /// A reader looks every five seconds, however little comes.
    private static let lasts = Duration.seconds(10)

    private let found = Mutex<ContinuousClock.Instant?>(nil)

    func note(at time: ContinuousClock.Instant) { found.withLock { $0 = time } }

    func isRecent(at time: ContinuousClock.Instant) -> Bool {
        found.withLock { found in found.map { time - $0 <= Self.lasts } ?? false }
    }
}
