import Testing

@testable import Ingestor

/// Whether the holder of a seat hears the devices without delay.
@Suite struct LevelTests {
    @Test func itLastsForTwoLooks() {
        let level = Level()
        let time = ContinuousClock.now
        #expect(!level.isRecent(at: time), "not before the first answer")
        level.note(nil)
        #expect(!level.isRecent(at: time), "nor by a look without one")
        level.note(time)
        #expect(level.isRecent(at: time) && level.isRecent(at: time + .seconds(6)))
        level.note(nil)
        #expect(!level.isRecent(at: time + .milliseconds(6_001)))
    }
}
