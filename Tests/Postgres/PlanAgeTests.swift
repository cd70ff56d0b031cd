import Testing

@testable import Postgres

@Suite struct PlanAgeTests {
    private let start = ContinuousClock.now

    @Test(arguments: [1, 60]) func aBusyConnectionPlansOnceInSoManySeconds(seconds: Int) {
        var age = PlanAge(.seconds(seconds), at: start)
        let replanned = (1...300 * seconds).filter { age.isTimeToReplan(at: start + .milliseconds(10 * $0)) }
        #expect(replanned == [100 * seconds, 200 * seconds, 300 * seconds])
    }

    @Test func aQuietConnectionPlansRarely() {
        var age = PlanAge(.seconds(1), at: start)
        let replanned = (1...40).filter { age.isTimeToReplan(at: start + .seconds(60 * $0)) }
        #expect(replanned == [20, 40])
    }
}
