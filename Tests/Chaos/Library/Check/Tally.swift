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
    package var beyondThrottle = 0
    package var duplicates = 0
    package var unexplained = 0
    /// Rounds after which not everything became well again.
    package var unrecovered = 0
    /// A sentence on each thing that should not be.
    package var findings: [String] = []

    package init() {}

    /// Whether everything is 0 that has to be.
    package var isClean: Bool {
        lost + storedTwice + episodesWrong + alertsMissed + beyondThrottle + unexplained + unrecovered == 0
    }

    mutating func note(_ count: WritableKeyPath<Tally, Int>, _ finding: String) {
        self[keyPath: count] += 1
        findings.append(finding)
    }

    static func += (sum: inout Tally, more: Tally) {
        let counts: [WritableKeyPath<Tally, Int>] = [
            \.handedOver, \.lost, \.storedTwice, \.lostWithoutReceipt, \.episodesExpected, \.episodesWrong,
            \.alertsExpected, \.alertsMissed, \.beyondThrottle, \.duplicates, \.unexplained, \.unrecovered,
        ]
        for count in counts { sum[keyPath: count] += more[keyPath: count] }
        sum.findings += more.findings
    }
}
