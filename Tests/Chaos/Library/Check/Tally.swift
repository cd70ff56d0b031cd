/// What the checker counts; of one round or of all.
package struct Tally: Hashable, Sendable {
    package var handedOver = 0
    package var lost = 0
    package var storedTwice = 0
    /// Acknowledged by a broker that crashed before it saved them, to devices that ask for no receipts.
    package var lostWithoutReceipt = 0
    package var episodesExpected = 0
    package var episodesWrong = 0
    package var alertsExpected = 0
    package var alertsMissed = 0
    package var alertsLate = 0
    package var beyondThrottle = 0
    package var duplicates = 0
    /// Messages that say something else than they should, or to somebody else, or that nobody believes.
    package var messagesWrong = 0
    package var hoursWrong = 0
    package var unexplained = 0
    /// Rounds after which not everything became well again.
    package var unrecovered = 0
    /// A sentence on each thing that should not be.
    package var findings: [String] = []

    package init() {}

    /// Whether everything is 0 that has to be.
    package var isClean: Bool {
        Self.faults.allSatisfy { self[keyPath: $0] == 0 }
    }

    /// What has to be 0.
    private static var faults: [WritableKeyPath<Tally, Int>] {
        [
            \.lost, \.storedTwice, \.episodesWrong, \.alertsMissed, \.alertsLate, \.beyondThrottle, \.messagesWrong,
            \.hoursWrong, \.unexplained, \.unrecovered,
        ]
    }

    mutating func note(_ count: WritableKeyPath<Tally, Int>, _ finding: String) {
        self[keyPath: count] += 1
        findings.append(finding)
    }

    static func += (sum: inout Tally, more: Tally) {
        let counts =
            faults + [
                \.handedOver, \.lostWithoutReceipt, \.episodesExpected, \.alertsExpected, \.duplicates,
            ]
        for count in counts { sum[keyPath: count] += more[keyPath: count] }
        sum.findings += more.findings
    }
}
