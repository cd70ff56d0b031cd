import Instants
import Store
import Testing

@testable import Operator

@Suite struct ImportPlanTests {
    private static let start = Timestamp(unixSeconds: Int64(1_700_006_400))

    private static func day(_ number: Int) -> Timestamp { start + RollUpSchedule.day * number }

    private static func row(
        _ number: Int, rows: Int64 = 96, messages: Bool = false, hours: Bool = false, day: Bool = false
    ) -> ListImportedDays.Row {
        ListImportedDays.Row(
            start: Self.day(number), rows: rows, hasMessages: messages, hasHours: hours, hasDay: day)
    }

    private static func kinds(_ days: [ListImportedDays.Row]) -> [ImportPlan.Kind] {
        ImportPlan(days, messagesSince: day(20), hoursSince: day(10)).parts.map(\.kind)
    }

    @Test func retentionSaysWhatADayBecomes() {
        #expect(Self.kinds([9, 10, 19, 20].map { Self.row($0) }) == [.days, .hours, .messages])
    }

    @Test func whatWasDroppedIsNotMadeAnewOfAPart() {
        #expect(Self.kinds([Self.row(20, hours: true, day: true)]) == [.hours])
        #expect(Self.kinds([Self.row(20, messages: true, hours: true, day: true)]) == [.messages])
        #expect(Self.kinds([Self.row(10, day: true)]) == [.days])
    }

    @Test func aPartHasABoundOfDaysAndOfRows() {
        let days = ImportPlan((0..<400).map { Self.row($0) }, messagesSince: Self.day(300), hoursSince: Self.day(200))
            .parts
        #expect(days.allSatisfy { $0.days.count <= 92 && ($0.kind == .days || $0.days.count <= 31) })
        #expect(days.flatMap(\.days) == (0..<400).map(Self.day))
        let dense = ImportPlan(
            (0..<10).map { Self.row($0, rows: 20_000) }, messagesSince: Self.day(0), hoursSince: Self.day(0))
        #expect(dense.parts.map(\.rows) == [40_000, 40_000, 40_000, 40_000, 40_000])
        let sparse = ImportPlan([Self.row(0), Self.row(5_000)], messagesSince: Self.day(0), hoursSince: Self.day(0))
        #expect(sparse.parts.count == 2, "the time between them is no part's")
    }

    @Test func onlyDaysOfWhichNothingWasStoredAreJudged() {
        let plan = ImportPlan(
            [Self.row(10), Self.row(11, hours: true, day: true)], messagesSince: Self.day(20), hoursSince: Self.day(0))
        #expect(plan.parts.map(\.unknown) == [[Self.day(10)]])
    }
}
