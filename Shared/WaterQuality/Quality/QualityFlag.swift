/// The trustworthiness of a value. The raw values are QARTOD's.
package enum QualityFlag: Int16, CaseIterable, Sendable {
    case pass = 1
    /// No test could judge the value.
    case notEvaluated = 2
    case suspect = 3
    case fail = 4
    case missing = 9

    /// The worse of two flags of one value; `notEvaluated` never outweighs another flag.
    package func worse(_ other: QualityFlag) -> QualityFlag { gravity >= other.gravity ? self : other }

    private var gravity: Int {
        switch self {
        case .notEvaluated: 0
        case .pass: 1
        case .suspect: 2
        case .fail: 3
        case .missing: 4
        }
    }
}

/// The QARTOD tests that every value is put to.
package enum QualityTest: String, CaseIterable, Sendable {
    /// The value is beyond the range of its probe, or of possible water.
    case range
    /// The value stands out from both neighbours.
    case spike
    /// The value is further from the last good one than water changes in that time.
    case rate
    /// The value has not changed for too long: the probe is frozen, or out of the water.
    case flat
    /// The value follows a pause, which says nothing about the value itself.
    case gap
}

/// The flags of one value, by test.
package struct QualityFlags: Hashable, Sendable {
    // Four bits for each test: a series has thousands of these.
    private var bits: UInt32 = 0

    /// - Parameter flag: The flag of all tests.
    package init(_ flag: QualityFlag) {
        for test in QualityTest.allCases { self[test] = flag }
    }

    package subscript(_ test: QualityTest) -> QualityFlag {
        get { QualityFlag(rawValue: Int16(bits >> shift(test) & 0xF)) ?? .notEvaluated }
        set { bits = bits & ~(0xF << shift(test)) | UInt32(newValue.rawValue) << shift(test) }
    }

    private func shift(_ test: QualityTest) -> UInt32 {
        switch test {
        case .range: 0
        case .spike: 4
        case .rate: 8
        case .flat: 12
        case .gap: 16
        }
    }

    /// The worst flag of the value.
    package var overall: QualityFlag {
        QualityTest.ofValue.reduce(.notEvaluated) { worst, test in worst.worse(self[test]) }
    }

    /// The test that gave the worst flag; nil if no flag is suspect or fail.
    package var finding: QualityTest? {
        let overall = overall
        guard overall == .suspect || overall == .fail else { return nil }
        return QualityTest.ofValue.first { self[$0] == overall }
    }
}
