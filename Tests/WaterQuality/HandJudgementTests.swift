import Instants
import Testing
import Words

@testable import WaterQuality

/// What a value by hand means for the people who share the water, and how they are told.
@Suite struct HandJudgementTests {
    private static let now = Timestamp(unixSeconds: Int64(1_777_636_800))
    private let range: SafeRange

    init() throws { range = try SafeRange(.ammonia, minimum: nil, maximum: 0.25 as Float) }

    private func judge(
        _ value: Double, ago seconds: Int64 = 60, isOwn: Bool = false, isOpen: Bool = false
    ) throws -> [Finding] {
        let time = Self.now - .seconds(seconds)
        let judgement = HandJudgement(
            try #require(HandValue(.ammonia, read: value, in: .ppm)), at: time, after: nil)
        return judgement.findings(isOwn: isOwn, by: range, .none, isOpen: isOpen, told: nil, now: Self.now)
    }

    @Test func theOthersAreToldAndWhoeverMeasuredIsNot() throws {
        guard case .holds(let evidence)? = try judge(0.5).first else {
            Issue.record("nothing was found")
            return
        }
        #expect(
            evidence.trouble == .byHand(isCritical: false) && evidence.side == .high && evidence.age == .zero
                && !evidence.isCritical)
        #expect(try judge(0.5, isOwn: true) == [.lingers(.ongoing)])
        let time = Self.now - .seconds(60)
        #expect(try judge(0.1) == [.over(at: time)])
        #expect(try judge(0.1, isOwn: true) == [.moot(at: time)])
    }

    @Test func aValueSpeaksForADay() throws {
        #expect(try judge(0.5, ago: 86_400) == [.nothing(.stale)])
        #expect(try judge(0.5, ago: 86_399) != [.nothing(.stale)])
    }

    @Test func fromOneSideToTheOtherIsTwoEpisodes() throws {
        let range = try SafeRange(.ph, minimum: 6.5 as Float, maximum: 8.4)
        let (low, high) = (
            try #require(HandValue(.ph, read: 5, in: .ph)), try #require(HandValue(.ph, read: 9, in: .ph))
        )
        func findings(_ former: HandValue?, isOpen: Bool, told: Side? = nil) -> Int {
            HandJudgement(high, at: Self.now, after: former).findings(
                isOwn: false, by: range, .none, isOpen: isOpen, told: told, now: Self.now
            ).count
        }
        #expect(findings(low, isOpen: true) == 2)
        #expect(findings(low, isOpen: false) == 1 && findings(high, isOpen: true) == 1)
        #expect(findings(nil, isOpen: true, told: .low) == 2, "the test between is gone, the alarm of it is not")
        #expect(findings(low, isOpen: true, told: .high) == 1)
    }

    @Test func withoutLimitsNobodyAsks() throws {
        let value = try #require(HandValue(.ammonia, read: 0.5, in: .ppm))
        let judgement = HandJudgement(value, at: Self.now, after: nil)
        #expect(
            judgement.findings(isOwn: false, by: nil, .none, isOpen: true, told: nil, now: Self.now) == [
                .moot(at: Self.now)
            ])
    }

    private func message(_ purpose: Alert.Purpose, _ found: ByHandContent.Found?, _ language: Language) -> String {
        let time = Self.now.civilTime()
        let message = Notice(
            deviceName: "Reef", purpose, .byHand(ByHandContent(parameter: .ammonia, found: found)), since: time,
            at: time, now: time
        ).message(in: language)
        return "\(message.title) | \(message.body)".replacing("\u{a0}", with: " ")
    }

    @Test func itIsToldWithItsLimit() {
        let found = ByHandContent.Found(side: .high, value: 0.5, limit: 0.25)
        let text = message(.alarm, found, .en)
        #expect(text.hasPrefix("Reef: "))
        #expect(text.contains("Measured by hand: 0.50 ppm, above your maximum of 0.25 ppm."), "\(text)")
    }

    @Test(arguments: Language.allCases) func noPlaceIsLeft(_ language: Language) {
        let found = ByHandContent.Found(side: .high, value: 0.5, limit: 0.25, isCritical: true)
        for (purpose, found) in [(Alert.Purpose.alarm, found as ByHandContent.Found?), (.alarm, nil), (.recovery, nil)]
        {
            let text = message(purpose, found, language)
            #expect(!text.contains("{") && text.firstMatch(of: #/(water|notice)\.[a-z]/#) == nil, "\(text)")
        }
    }

    /// A step of a kit names its number, and the critical limit where all of it is beyond that.
    @Test func anAlarmNamesTheLimitThatWasCrossed() throws {
        let kit = try #require(Kit.named("api-freshwater"))
        let value = try #require(HandValue(.ammonia, choice: "1", of: kit))
        let critical = try CriticalBand(beyond: range, minimum: nil, maximum: Parameter.ammonia.steps(of: 0.5))
        let found = try #require(ByHandContent(value, by: range, critical).found)
        #expect(found == .init(side: .high, value: 1, limit: 0.5, isCritical: true))
        #expect(ByHandContent(value, by: range, .none).found?.limit == 0.25)
    }
}
