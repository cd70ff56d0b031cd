import Synchronization

/// The pages that were read lately. However many people look at a page, it is read once in half a minute, and few are read at once; a page that was
/// withdrawn is shown for that long.
final class PublicPages: Sendable {
    struct Bounds: Sendable {
        /// Pages that are read at once.
        var places = 2
        /// Requests that wait for pages.
        var waiting = 2_000
        /// Pages that are kept.
        var kept = 200
        var lifetime = Duration.seconds(30)
    }

    private struct Kept {
        let page: PublicPage
        let until: ContinuousClock.Instant
    }

    private let bounds: Bounds
    private let turns: FairWork<[UInt8]>
    private let kept = Mutex<[[UInt8]: Kept]>([:])

    init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
        turns = FairWork(
            .init(places: bounds.places, placesOfPerson: 1, jobsOfPerson: bounds.waiting, jobs: bounds.waiting))
    }

    /// The page whose secret has this hash: one that is kept, or what `read` finds, once for all who ask meanwhile.
    /// - Returns: `nil` where there is none, of which nothing is kept.
    /// - Throws: `Problem(.unavailable)` and `Problem(.tooManyRequests)` where too many wait.
    func page(
        _ hash: [UInt8], now: @Sendable () -> ContinuousClock.Instant = { .now },
        read: @Sendable () async throws -> PublicPage?
    ) async throws -> PublicPage? {
        if let page = find(hash, now()) { return page }
        return try await turns.job(of: hash).turn {
            if let page = find(hash, now()) { return page }
            let page = try await read()
            keep(page, hash, now())
            return page
        }
    }

    private func find(_ hash: [UInt8], _ now: ContinuousClock.Instant) -> PublicPage? {
        kept.withLock { kept in kept[hash].flatMap { $0.until > now ? $0.page : nil } }
    }

    private func keep(_ page: PublicPage?, _ hash: [UInt8], _ now: ContinuousClock.Instant) {
        kept.withLock { kept in
            kept[hash] = page.map { Kept(page: $0, until: now + bounds.lifetime) }
            guard kept.count > bounds.kept else { return }
            kept = kept.filter { $0.value.until > now }
            // All are younger: the one that would go next goes.
            if kept.count > bounds.kept, let oldest = kept.min(by: { $0.value.until < $1.value.until }) {
                kept[oldest.key] = nil
            }
        }
    }
}
