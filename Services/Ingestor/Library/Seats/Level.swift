import Synchronization

/// When the broker last answered the reader of a seat with nothing more waiting there, as far as the reader can tell.
///
/// Otherwise devices may be heard late, and do not count as silent. A hanging broker seems to have nothing waiting
/// either, which is why only an answer counts.
final class Level: Sendable {
    /// How long an answer counts. A reader asks every two seconds, however little comes, and sees the answer at its
    /// next look. Together with the interval of the seat's row, a hanging broker is noticed before any device counts as silent.
    private static let lasts = Duration.seconds(6)

    private let answered = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter time: The broker's last answer; nil before the first.
    func note(_ time: ContinuousClock.Instant?) { answered.withLock { $0 = time ?? $0 } }

    func isRecent(at time: ContinuousClock.Instant) -> Bool {
        answered.withLock { answered in answered.map { time - $0 <= Self.lasts } ?? false }
    }
}
