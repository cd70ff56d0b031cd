/// QARTOD's flags of many values: the number flagged, the worst flag, and the test that gave it.
package struct FlaggedValues: Hashable, Sendable {
    package private(set) var count: Int32 = 0
    /// Suspect or fail; not evaluated if there were too many values to test.
    package private(set) var quality = QualityFlag.notEvaluated
    package private(set) var finding: QualityTest?

    package static let notEvaluated = FlaggedValues()

    private init() {}

    /// - Returns: `nil` for a value without a flag.
    package init?(_ flags: QualityFlags) {
        guard let finding = flags.finding else { return nil }
        (count, quality, self.finding) = (1, flags.overall, finding)
    }

    /// Adds the flags of other values. If both are equally bad, the test that comes first in the list of tests is kept.
    package mutating func add(_ other: FlaggedValues) {
        count = Int32(clamping: Int64(count) + Int64(other.count))
        guard let found = other.finding else { return }
        let isWorse = quality.worse(other.quality) != quality
        if isWorse || quality == other.quality && found.place < finding?.place ?? .max {
            (quality, finding) = (other.quality, found)
        }
    }
}

extension FlaggedValues: RawRepresentable {
    /// The number of values times eight; the lowest bits hold the test, plus 4 if the worst flag is `fail`.
    package var rawValue: Int32 {
        guard let finding else { return 0 }
        return min(count, .max >> 3) << 3 | (quality == .fail ? 4 : 0) | finding.place
    }

    /// - Returns: `nil` for an invalid number.
    package init?(rawValue: Int32) {
        self.init()
        guard rawValue != 0 else { return }
        guard rawValue >= 8 else { return nil }
        count = rawValue >> 3
        quality = rawValue & 4 == 0 ? .suspect : .fail
        finding = QualityTest.ofValue[Int(rawValue & 3)]
    }
}

extension QualityTest {
    /// The tests that judge the value itself. Stored numbers hold their positions.
    static let ofValue: [QualityTest] = [.range, .spike, .rate, .flat]

    fileprivate var place: Int32 { Int32(Self.ofValue.firstIndex(of: self) ?? 0) }
}
