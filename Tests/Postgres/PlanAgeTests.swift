import Testing

@testable import Postgres

@Suite struct PlanAgeTests {
    private let start = ContinuousClock.now

    @Test(arguments: [1, 60]) func aBusyConnectionPlansOnceInSoManySeconds(seconds: Int) {
        var age = PlanAge(.seconds(seconds), at: start)
        let replanned = (1...300 * seconds).filter { age.isTimeToReplan(at: start + .milliseconds(10 * $0)) }
        #expect(replanned == [100 * seconds, 200 * seconds, 300 * seconds])
    }

    /// Many rows make an old plan quadratic at once; a storm of such transactions is planned four times a second.
    @Test func manyRowsArePlannedForAnewUnlessThatWasJustBefore() {
        var age = PlanAge(.seconds(60), at: start)
        let replanned = (1...100).filter { age.isTimeToReplanForMany(at: start + .milliseconds(10 * $0)) }
        #expect(replanned == [25, 50, 75, 100])
    }

    @Test func aQuietConnectionPlansRarely() {
        var age = PlanAge(.seconds(1), at: start)
        let replanned = (1...40).filter { age.isTimeToReplan(at: start + .seconds(60 * $0)) }
        #expect(replanned == [20, 40])
    }
}
