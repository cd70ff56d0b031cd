import Instants
import Routes
import Testing

@testable import Gateway

/// Which members an entry of each kind has.
@Suite struct JournalContentTests {
    private static let now = Timestamp(iso8601: "2026-05-01T12:00:00Z".utf8.span)!

    private func fault(_ kind: JournalKind, _ change: (inout JournalContent) -> Void = { _ in }) -> String? {
        var content = JournalContent(kind: kind, at: Self.now)
        change(&content)
        return content.fault(now: Self.now).map { "\($0.part.rawValue) \($0.fault.code)" }
    }

    @Test func eachKindHasItsMembers() {
        for kind in JournalKind.allCases {
            #expect(fault(kind) == (kind.needsSubject ? "subject missing" : nil), "\(kind)")
            let hasAmount = [.waterChanged, .fed, .dosed].contains(kind)
            for unit in JournalUnit.allCases {
                let found = fault(kind) { ($0.amount, $0.unit, $0.subject) = (2, unit, kind.needsSubject ? "Fe" : nil) }
                let expected = kind.units.contains(unit) ? nil : hasAmount ? "unit not-a-choice" : "amount not-of-kind"
                #expect(found == expected, "\(kind) \(unit)")
            }
            let subject = fault(kind) { $0.subject = "Neon" }
            #expect(subject == ([.waterChanged, .note].contains(kind) ? "subject not-of-kind" : nil), "\(kind)")
            let count = fault(kind) { ($0.subject, $0.count) = (kind.hasSubject ? "Neon" : nil, 3) }
            #expect(count == ([.added, .died, .moved].contains(kind) ? nil : "count not-of-kind"), "\(kind)")
            #expect(fault(kind) { ($0.subject, $0.text) = (kind.needsSubject ? "Neon" : nil, "So it was.") } == nil)
        }
    }

    @Test func anAmountHasAUnit() {
        #expect(fault(.fed) { $0.amount = 2 } == "unit missing")
        #expect(fault(.fed) { $0.unit = .gram } == "amount missing")
        #expect(fault(.waterChanged) { ($0.amount, $0.unit) = (100, .percent) } == nil)
        #expect(fault(.waterChanged) { ($0.amount, $0.unit) = (100.5, .percent) } == "amount too-large")
        #expect(fault(.waterChanged) { ($0.amount, $0.unit) = (100.5, .litre) } == nil)
    }

    @Test func timeIsThatOfSomethingThatHappened() {
        let ahead = JournalContent.ahead
        #expect(fault(.note) { $0.at = Self.now + ahead } == nil, "a clock that is a little ahead")
        #expect(fault(.note) { $0.at = Self.now + ahead + .microseconds(1) } == "at too-large")
        #expect(fault(.note) { $0.at = JournalContent.earliest } == nil)
        #expect(fault(.note) { $0.at = JournalContent.earliest - .microseconds(1) } == "at too-small")
    }
}
