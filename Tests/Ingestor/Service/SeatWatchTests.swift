import Instants
import Store
import Synchronization
import Testing
import WaterQuality

@testable import Ingestor

/// Detects a frozen holder, whatever the database's clock says.
@Suite struct SeatWatchTests {
    private static func row(
        seat: Int16 = 0, heldAt seconds: Int64 = 0, holder: Int32? = 7, sessionOpen: Bool = true
    ) -> ListSeats.Row {
        ListSeats.Row(
            seat: seat, sessionOpen: sessionOpen, lastHeldAt: Timestamp(unixSeconds: seconds), holder: holder)
    }

    /// How long seat 0 has been still after looks this many seconds apart.
    private static func stillness(_ looks: [[ListSeats.Row]], every seconds: Int = 10) -> Duration {
        watch(looks, every: seconds).stillness(of: 0)
    }

    private static func watch(_ looks: [[ListSeats.Row]], every seconds: Int = 10) -> SeatWatch {
        // The next look is as far away.
        let start = ContinuousClock.now - .seconds(looks.count * seconds)
        var watch = SeatWatch(longestStep: .seconds(10))
        for (index, rows) in looks.enumerated() { watch.observe(rows, at: start + .seconds(index * seconds)) }
        return watch
    }

    @Test func whatDoesNotMoveIsStill() {
        #expect(Self.stillness([[Self.row()], [Self.row()], [Self.row()]]) == .seconds(20))
        #expect(
            Self.stillness([[Self.row(heldAt: .max / 4_000_000)], [Self.row(heldAt: .max / 4_000_000)]]) == .seconds(10)
        )
    }

    @Test(arguments: [
        row(heldAt: 5), row(heldAt: -10_800), row(holder: 8), row(holder: nil), row(sessionOpen: false),
    ])
    func whateverMovesBeginsAnew(_ moved: ListSeats.Row) {
        #expect(Self.stillness([[Self.row()], [Self.row()], [moved]]) == .zero)
        #expect(Self.stillness([[Self.row()], [Self.row()], [moved], [moved]]) == .seconds(10))
    }

    @Test func seatsAreWatchedApart() {
        let looks = (0..<4).map { look in [Self.row(), Self.row(seat: 1, heldAt: Int64(look))] }
        #expect(Self.stillness(looks) == .seconds(30))
        #expect(Self.stillness([[Self.row()], [Self.row()], [], [Self.row()]]) == .zero, "it was gone")
        #expect(SeatWatch(longestStep: .seconds(10)).stillness(of: 3) == .zero)
    }

    @Test func timeInWhichNobodyLookedProvesNothing() {
        #expect(Self.stillness([[Self.row()], [Self.row()]], every: 3_600) == .seconds(10))
    }

    /// Looks at a seat whose row does not change.
    private static func look(
        _ watch: inout SeatWatch, _ commit: @escaping @Sendable () async throws -> Void
    ) async throws {
        _ = try await watch.look({ [row()] }, commit: commit)
    }

    /// Commits have to work before anybody is evicted; hanging ones excuse the holder, who waits for a commit as well.
    @Test func aHolderThatCannotCommitIsNotFrozen() async throws {
        struct Stalled: Error {}
        let commits = Mutex(0)
        var watch = Self.watch(Array(repeating: [Self.row()], count: 2))
        #expect(watch.stillness(of: 0) == .seconds(10))
        try await Self.look(&watch) { throw Stalled() }
        #expect(watch.stillness(of: 0) == .zero)
        for _ in 0..<2 { try await Self.look(&watch) { commits.withLock { $0 += 1 } } }
        #expect(commits.withLock(\.self) == 0, "there was no doubt")

        watch = Self.watch(Array(repeating: [Self.row()], count: 3))
        try await Self.look(&watch) { commits.withLock { $0 += 1 } }
        #expect(commits.withLock(\.self) == 1)
        #expect(watch.frozenHolder(of: Self.row()) == 7)
        try await Self.look(&watch) { throw Stalled() }
        #expect(watch.frozenHolder(of: Self.row()) == nil)
    }

    /// An empty seat has no holder whose commits could hang, and is not excused.
    @Test func anEmptySeatNeedsNoCommit() async throws {
        let empty = Self.row(holder: nil)
        var watch = Self.watch(Array(repeating: [empty], count: 3))
        #expect(!watch.doubtsAHolder)
        watch.excuseHolders()
        #expect(watch.stillness(of: 0) == .seconds(20))
    }

    @Test func aHolderThatIsStillIsFrozen() {
        let looks = Array(repeating: [Self.row(), Self.row(seat: 1, holder: nil)], count: 3)
        #expect(Self.watch(looks).frozenHolder(of: Self.row()) == 7)
        #expect(Self.watch(looks).frozenHolder(of: Self.row(seat: 1, holder: nil)) == nil)
        #expect(Self.watch(looks, every: 9).frozenHolder(of: Self.row()) == nil)
    }
}
