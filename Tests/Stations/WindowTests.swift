import Instants
import Testing

@testable import Stations

/// Which stretch is asked for, and when.
@Suite struct WindowTests {
    private let now = Timestamp(unixSeconds: Int64(1_764_504_000))

    private func ago(_ seconds: Int64) -> Timestamp { now - .seconds(seconds) }

    @Test func `the first question is for a day`() {
        let window = StationWindow(seenUntil: nil, newest: [], now: now)
        #expect(window.from == ago(86_400) && window.to == nil)
    }

    @Test func `later ones go on from the series that lags, for some hours`() {
        #expect(StationWindow(seenUntil: ago(900), newest: [ago(900), ago(4_500)], now: now).from == ago(4_500))
        #expect(StationWindow(seenUntil: ago(900), newest: [ago(900), ago(40_000)], now: now).from == ago(900))
    }

    @Test func `what was missed is asked for by days, and no further back than is decided`() {
        let behind = StationWindow(seenUntil: ago(3 * 86_400), newest: [ago(3 * 86_400)], now: now)
        #expect(behind.from == ago(3 * 86_400) && behind.to == ago(2 * 86_400))
        let longAgo = StationWindow(seenUntil: ago(90 * 86_400), newest: [], now: now)
        #expect(longAgo.from == now - StationWindow.furthest)
    }

    @Test func `a time to come counts as none`() {
        #expect(StationWindow(seenUntil: now + .seconds(3_600), newest: [], now: now).from == ago(86_400))
    }

    @Test func `a station is looked back at once in each quarter of a day, from when it was named`() {
        func back(fetched: Int64?, named: Int64 = 900_000, seen: Int64? = 900) -> StationWindow? {
            StationWindow.back(
                from: seen.map(ago), fetchedAt: fetched.map(ago), setAt: ago(named), now: now)
        }
        let begun = (now - now.roundedDown(to: StationWindow.lookBackEvery)) / .seconds(1)
        #expect(back(fetched: Int64(begun)) == nil, "asked in this quarter already")
        let window = back(fetched: Int64(begun) + 1)
        #expect(window?.looksBack == true && window?.from == ago(900 + 86_400) && window?.to == ago(899))
        #expect(back(fetched: 22_000, named: 4_000)?.from == ago(3_999))
        #expect(back(fetched: 22_000, named: 100) == nil, "all of it is from before")
        #expect(back(fetched: nil) == nil && back(fetched: 22_000, seen: nil) == nil)
        #expect(back(fetched: 22_000, seen: -60) == nil)
    }

    @Test func `a station is asked by its own rhythm within bounds`() {
        func pause(every seconds: Int64) -> Duration {
            let times = (0..<10).map { ago($0 * seconds) }
            return StationRhythm.pause(times: [times], newest: now, now: now, hasMore: false)
        }
        #expect(pause(every: 60) == .seconds(900))
        #expect(pause(every: 3_600) == .seconds(3_600))
        #expect(pause(every: 86_400) == .seconds(6 * 3_600))
        #expect(StationRhythm.pause(times: [[now]], newest: now, now: now, hasMore: true) < .seconds(900))
    }

    @Test func `a station that has gone quiet is asked more seldom`() {
        func pause(quiet seconds: Int64) -> Duration {
            StationRhythm.pause(times: [], newest: ago(seconds), now: now, hasMore: false)
        }
        #expect(pause(quiet: 3_600) == .seconds(900))
        #expect(pause(quiet: 2 * 86_400) == .seconds(3_600))
        #expect(pause(quiet: 30 * 86_400) == .seconds(6 * 3_600))
        #expect(StationRhythm.pause(times: [], newest: nil, now: now, hasMore: false) == .seconds(900))
    }

    @Test func `failures double the pause up to a day, and what the source asks for is heeded`() {
        #expect(StationRhythm.pause(afterFailures: 1, asked: nil) == .seconds(900))
        #expect(StationRhythm.pause(afterFailures: 3, asked: nil) == .seconds(3_600))
        #expect(StationRhythm.pause(afterFailures: 1_000, asked: nil) == .seconds(86_400))
        #expect(StationRhythm.pause(afterFailures: 1, asked: .seconds(7_200)) == .seconds(7_200))
        #expect(StationRhythm.pause(afterFailures: 1, asked: .seconds(30)) == .seconds(900))
        #expect(StationRhythm.pause(afterFailures: 1, asked: .seconds(864_000)) == .seconds(86_400))
    }
}
