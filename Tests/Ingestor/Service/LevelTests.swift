import Testing

@testable import Ingestor

/// Whether the reader of a seat hears the devices without delay.
@Suite struct LevelTests {
    @Test func itLastsForTwoLooks() {
        let level = Level()
        let time = ContinuousClock.now
        #expect(!level.isRecent(at: time), "not before the first look")
        level.note(at: time)
        #expect(level.isRecent(at: time) && level.isRecent(at: time + .seconds(10)))
        #expect(!level.isRecent(at: time + .milliseconds(10_001)))
    }
}
