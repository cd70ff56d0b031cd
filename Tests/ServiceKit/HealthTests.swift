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
        let (health, clock) = (Health(), InstantClock())
        let reader = health.heartbeat("reader", within: .seconds(10), clock: clock)
        let writer = health.heartbeat("writer", within: .seconds(30), clock: clock)
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
