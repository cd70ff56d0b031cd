import Instants
import Store
import Testing
import WaterQuality

@testable import Ingestor

/// Who is frozen, whatever the database's clock says.
@Suite struct SeatWatchTests {
    private static func row(
        seat: Int16 = 0, heldAt seconds: Int64 = 0, holder: Int32? = 7, sessionOpen: Bool = true
    ) -> ListSeats.Row {
        ListSeats.Row(
            seat: seat, sessionOpen: sessionOpen, lastHeldAt: Timestamp(unixSeconds: seconds), holder: holder)
    }

    /// How long seat 0 has been still after looks of so many seconds apart.
    private static func stillness(_ looks: [[ListSeats.Row]], every seconds: Int = 10) -> Duration {
        watch(looks, every: seconds).stillness(of: 0)
    }

    private static func watch(_ looks: [[ListSeats.Row]], every seconds: Int = 10) -> SeatWatch {
        let start = ContinuousClock.now
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

    @Test func aHolderThatIsStillIsFrozen() {
        let looks = Array(repeating: [Self.row(), Self.row(seat: 1, holder: nil)], count: 3)
        #expect(Self.watch(looks).frozenHolder(of: Self.row()) == 7)
        #expect(Self.watch(looks).frozenHolder(of: Self.row(seat: 1, holder: nil)) == nil)
        #expect(Self.watch(looks, every: 9).frozenHolder(of: Self.row()) == nil)
    }
}
