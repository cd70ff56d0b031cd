import ServiceKit
import Testing

@Suite struct HealthTests {
    @Test func readyNeedsEveryCheck() async {
        let health = Health()
        #expect(await health.failingReadiness() == [])
        let broker = health.readinessFlag("broker")
        health.addReadiness("database") { false }
        #expect(await health.failingReadiness() == ["broker", "database"])
        broker.set(true)
        #expect(await health.failingReadiness() == ["database"])
    }

    @Test func notReadyOnceStopping() async {
        let health = Health()
        health.beginStopping()
        #expect(await health.failingReadiness() == ["stopping"])
    }

    @Test func aLoopThatStopsIsNamed() {
        let clock = InstantClock()
        let health = Health(clock: clock)
        let reader = health.heartbeat("reader", within: .seconds(10))
        let writer = health.heartbeat("writer", within: .seconds(30))
        clock.advance(by: .seconds(10))
        #expect(health.silentHeartbeats() == [])
        clock.advance(by: .seconds(1))
        #expect(health.silentHeartbeats() == ["reader"])
        reader.beat()
        #expect(health.silentHeartbeats() == [])
        clock.advance(by: .seconds(20))
        #expect(!writer.isBeating)
        #expect(health.silentHeartbeats() == ["reader", "writer"])
    }
}
