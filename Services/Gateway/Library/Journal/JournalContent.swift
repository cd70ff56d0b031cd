import Instants
import Routes
import WaterQuality

/// The kinds of entries that people write in the journal. The raw values are stored, and a promise to clients.
enum JournalKind: String, CaseIterable, Sendable {
    case waterChanged, fed, dosed, cleaned, added, died, moved, note

    /// The units of an amount; none where an entry of this kind has no amount.
    var units: [JournalUnit] {
        switch self {
        case .waterChanged: [.percent, .litre]
        case .fed: [.gram]
        case .dosed: [.millilitre, .gram, .drop, .tablet]
        case .cleaned, .added, .died, .moved, .note: []
        }
    }

    /// Whether an entry says nothing without its subject: what was dosed, or who died.
    var needsSubject: Bool { [.dosed, .added, .died, .moved].contains(self) }
    var hasSubject: Bool { needsSubject || self == .fed || self == .cleaned }
    var hasCount: Bool { [.added, .died, .moved].contains(self) }
}

/// The unit of an amount in the journal.
enum JournalUnit: String, CaseIterable, Sendable {
    case percent, litre, millilitre, gram, drop, tablet
}

/// The content of an entry, apart from who made it.
struct JournalContent: Equatable, Sendable {
    var kind: JournalKind
    var at: Timestamp
    var amount: Double?
    var unit: JournalUnit?
    var subject: String?
    var count: Int?
    var text: String?

    /// The earliest time of an entry.
    static let earliest = Timestamp(iso8601: "1990-01-01T00:00:00Z".utf8.span)!
    /// How far ahead of ours a client's clock may be.
    static let ahead = Duration.seconds(5 * 60)

    /// A member that does not fit the others.
    enum Part: String, Sendable { case at, amount, unit, subject, count }

    /// The first fault, with the member in which it is; `nil` if the content is sound.
    func fault(now: Timestamp) -> (part: Part, fault: Fault)? {
        if at < Self.earliest { return (.at, .tooSmall(minimum: .string(Self.earliest.iso8601))) }
        if at > now + Self.ahead { return (.at, .tooLarge(maximum: .string(now.iso8601))) }
        if amount != nil, kind.units.isEmpty { return (.amount, .notOfKind) }
        if let unit, !kind.units.contains(unit) {
            return (.unit, kind.units.isEmpty ? .notOfKind : .notChoice(kind.units.map(\.rawValue)))
        }
        if amount != nil, unit == nil { return (.unit, .missing) }
        if amount == nil, unit != nil { return (.amount, .missing) }
        if unit == .percent, let amount, amount > 100 { return (.amount, .tooLarge(maximum: 100)) }
        if subject != nil, !kind.hasSubject { return (.subject, .notOfKind) }
        if subject == nil, kind.needsSubject { return (.subject, .missing) }
        if count != nil, !kind.hasCount { return (.count, .notOfKind) }
        return nil
    }
}

extension Fault {
    /// A member that things of this kind do not have.
    static let notOfKind = Fault("not-of-kind")
}
