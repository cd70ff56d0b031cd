/// How far a value can be trusted. The raw values are QARTOD's.
package enum QualityFlag: Int16, CaseIterable, Sendable {
    case pass = 1
    /// There is nothing to judge by.
    case notEvaluated = 2
    case suspect = 3
    case fail = 4
    case missing = 9

    /// The worse of two findings about one value. What was not evaluated takes nothing from what was.
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

/// The tests of QARTOD that every value is put to.
package enum QualityTest: String, CaseIterable, Sendable {
    /// The value is beyond what its probe can measure, or water can be.
    case range
    /// The value stands out between its neighbours.
    case spike
    /// The value is further from the last good one than water changes in that time.
    case rate
    /// The value has not changed for too long: the probe is frozen, or out of the water.
    case flat
    /// The value comes after a pause. This says nothing of the value itself.
    case gap
}

/// What the tests found of one value.
package struct QualityFlags: Hashable, Sendable {
    // Four bits for each test: a series has thousands of these.
    private var bits: UInt32 = 0

    /// - Parameter flag: Of all tests.
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

    /// The worst that was found of the value.
    package var overall: QualityFlag {
        QualityTest.ofValue.reduce(.notEvaluated) { worst, test in worst.worse(self[test]) }
    }

    /// The test that found the worst, if it is nothing good.
    package var finding: QualityTest? {
        let overall = overall
        guard overall == .suspect || overall == .fail else { return nil }
        return QualityTest.ofValue.first { self[$0] == overall }
    }
}
