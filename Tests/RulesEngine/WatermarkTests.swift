import Instants
import Store
import Testing
import WaterQuality

@testable import RulesEngine

@Suite struct WatermarkTests {
    private func time(_ seconds: Int64) -> Timestamp { Timestamp(unixSeconds: seconds) }

    private func readings(_ parameters: Parameter..., value: Float = 1) -> Readings {
        var readings = Readings()
        for parameter in parameters { readings[parameter] = value }
        return readings
    }

    @Test func itOnlyAdvances() {
        var watermark = Watermark()
        watermark.advance(to: time(100), for: readings(.ph), latest: time(1_000))
        watermark.advance(to: time(50), for: readings(.ph), latest: time(1_000))
        #expect(watermark[.ph] == time(100) && watermark[.temperature] == nil)
    }

    /// The start of the look-up for last readings.
    @Test func theHeadIsNoOlderThanWhatWasEvaluated() {
        var watermark = Watermark(newest: time(10_000))
        func head(_ seconds: Int64, latest: Int64 = 20_000) -> Timestamp {
            watermark.head(of: .ph, at: time(seconds), latest: time(latest))
        }
        #expect(head(10_030) == time(10_030))
        #expect(head(100) == time(10_000), "a late reading")
        #expect(head(100, latest: 460) == time(460), "the mark of a clock that was ahead is none")
        watermark.advance(to: time(10_600), for: readings(.ph), latest: time(20_000))
        #expect(head(10_030) == time(10_600))
        #expect(watermark.head(of: .salinity, at: time(100), latest: time(20_000)) == time(10_000))
    }

    @Test func aBrokenProbeIsAsUncertainAsAValue() {
        var watermark = Watermark(newest: time(100))
        #expect(!watermark.isUncertain(at: time(50), of: Readings()))
        #expect(watermark.isUncertain(at: time(50), of: Readings(), broken: ParameterSet(.ph)))
        #expect(!watermark.isUncertain(at: time(101), of: Readings(), broken: ParameterSet(.ph)))
        watermark.advance(to: time(200), for: readings(.ph), latest: time(1_000))
        #expect(!watermark.isUncertain(at: time(50), of: Readings(), broken: ParameterSet(.ph)))
    }

    /// A clock that was ahead is set back, and its marks do not stay.
    @Test func itGoesBackFromAFutureThatWasNone() {
        var watermark = Watermark()
        watermark.advance(to: time(5_000), for: readings(.ph, .salinity), latest: time(5_360))
        watermark.advance(to: time(100), for: readings(.ph), latest: time(460))
        #expect(watermark[.ph] == time(100) && watermark[.salinity] == time(5_000))
    }

    @Test func whereNothingWasEvaluatedNothingIsUncertain() {
        #expect(!Watermark().isUncertain(at: time(0), of: readings(.ph)))
    }

    @Test func whatIsNewerThanEverythingIsCertain() {
        let watermark = Watermark(newest: time(100))
        #expect(!watermark.isUncertain(at: time(101), of: readings(.ph)))
        #expect(watermark.isUncertain(at: time(100), of: readings(.ph)))
    }

    @Test func aParameterThatWasEvaluatedSinceIsCertain() {
        var watermark = Watermark(newest: time(100))
        watermark.advance(to: time(110), for: readings(.ph), latest: time(1_000))
        #expect(!watermark.isUncertain(at: time(90), of: readings(.ph)))
        #expect(watermark.isUncertain(at: time(90), of: readings(.ph, .salinity)))
    }

    /// A parameter without a value at or after a time was evaluated before it, if ever.
    @Test func whatWasLookedUpIsCertainFromThereOn() {
        var watermark = Watermark(newest: time(100))
        var found = PerParameter<Timestamp?>(repeating: nil)
        found[Int(Parameter.ph.rawValue)] = time(95)
        watermark.settle(since: time(90), found: found)
        #expect(watermark[.ph] == time(95) && watermark[.salinity] == nil)
        #expect(!watermark.isUncertain(at: time(90), of: readings(.ph, .salinity)))
        #expect(watermark.isUncertain(at: time(89), of: readings(.salinity)))
    }

    // MARK: Values

    @Test func aValueIsThatOfTheWatermark() {
        var watermark = Watermark()
        #expect(watermark.value(of: .ph) == nil)
        watermark.advance(to: time(100), for: readings(.ph, value: 7.5), latest: time(1_000))
        watermark.advance(to: time(50), for: readings(.ph, value: 9), latest: time(1_000))
        #expect(watermark.value(of: .ph) == Steps(75) && watermark.value(of: .temperature) == nil)
        // A later time was looked up without its value.
        var found = PerParameter<Timestamp?>(repeating: nil)
        found[Int(Parameter.ph.rawValue)] = time(120)
        watermark.settle(since: time(90), found: found)
        #expect(watermark[.ph] == time(120) && watermark.value(of: .ph) == nil)
        #expect(watermark.lacksValue(before: time(130), within: .seconds(10), of: readings(.ph)))
        #expect(!watermark.lacksValue(before: time(131), within: .seconds(10), of: readings(.ph)), "too long ago")
        #expect(!watermark.lacksValue(before: time(120), within: .seconds(10), of: readings(.ph)), "no news")
    }

    @Test func aValueIsLackedOnlyWhereItMayHaveBeen() {
        #expect(!Watermark().lacksValue(before: time(100), within: .seconds(300), of: readings(.ph)))
        var watermark = Watermark(newest: time(1_000))
        #expect(watermark.lacksValue(before: time(1_100), within: .seconds(300), of: readings(.ph)))
        #expect(!watermark.lacksValue(before: time(1_301), within: .seconds(300), of: readings(.ph)))
        #expect(!watermark.lacksValue(before: time(1_100), within: .seconds(300), of: Readings()))
        watermark.advance(to: time(1_050), for: readings(.ph), latest: time(2_000))
        #expect(!watermark.lacksValue(before: time(1_100), within: .seconds(300), of: readings(.ph)))
    }

    @Test func whatWasRecalledIsKnownAndLackedNoMore() {
        var watermark = Watermark(newest: time(1_000))
        watermark.advance(to: time(1_010), for: readings(.salinity, value: 3), latest: time(2_000))
        var found = PerParameter<FindLastValues.Last?>(repeating: nil)
        found[Int(Parameter.ph.rawValue)] = FindLastValues.Last(time: time(900), value: 7.5)
        found[Int(Parameter.salinity.rawValue)] = FindLastValues.Last(time: time(1_000), value: 4)
        watermark.recall(since: time(800), found: found)
        #expect(watermark[.ph] == time(900) && watermark.value(of: .ph) == Steps(75))
        #expect(watermark.value(of: .salinity) == Steps(30), "what is newer stays")
        #expect(watermark[.temperature] == nil)
        #expect(!watermark.lacksValue(before: time(1_100), within: .seconds(300), of: readings(.ph, .temperature)))
        #expect(!watermark.isUncertain(at: time(850), of: readings(.ph, .temperature)))
    }
}
