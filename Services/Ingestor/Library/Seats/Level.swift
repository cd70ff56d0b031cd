import Synchronization

/// When the broker last answered the reader of a seat while nothing waited for it there, as far as it can tell.
///
/// While it does not, devices may be heard late: it is no silence of theirs. A broker that hangs has nothing waiting either, which is why
/// only an answer counts.
final class Level: Sendable {
    /// A reader asks every two seconds, however little comes, and hears the answer with its next look. With what the row of the seat
    /// adds, a broker that hangs is noticed before any device counts as silent.
    private static let lasts = Duration.seconds(6)

    private let answered = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter time: The broker's last answer; nil before the first.
    func note(_ time: ContinuousClock.Instant?) { answered.withLock { $0 = time ?? $0 } }

    func isRecent(at time: ContinuousClock.Instant) -> Bool {
        answered.withLock { answered in answered.map { time - $0 <= Self.lasts } ?? false }
    }
}
