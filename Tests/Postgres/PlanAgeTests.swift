import Testing

@testable import Postgres

@Suite struct PlanAgeTests {
    private let start = ContinuousClock.now

    @Test func aBusyConnectionPlansOnceASecond() {
        var age = PlanAge(at: start)
        let replanned = (1...300).filter { age.isTimeToReplan(at: start + .milliseconds(10 * $0)) }
        #expect(replanned == [100, 200, 300])
    }

    @Test func aQuietConnectionPlansRarely() {
        var age = PlanAge(at: start)
        let replanned = (1...40).filter { age.isTimeToReplan(at: start + .seconds(60 * $0)) }
        #expect(replanned == [20, 40])
    }
}
