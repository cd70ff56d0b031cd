/// The checker's counts, for one round or for all.
package struct Tally: Hashable, Sendable {
    package var handedOver = 0
    package var lost = 0
    package var storedTwice = 0
    /// Readings that the broker acknowledged and lost in a crash before its next save, from devices without receipts.
    package var lostWithoutReceipt = 0
    package var episodesExpected = 0
    package var episodesWrong = 0
    package var alertsExpected = 0
    package var alertsMissed = 0
    package var alertsLate = 0
    package var beyondThrottle = 0
    package var duplicates = 0
    /// Devices that were reported silent although they went on measuring.
    package var silencesWrong = 0
    /// Readings whose oxygen saturation does not match their own oxygen, temperature and salinity.
    package var derivedWrong = 0
    /// Messages with the wrong content, to the wrong person, or with an invalid signature.
    package var messagesWrong = 0
    package var hoursWrong = 0
    /// Readings of work on the water, and checks of hours with some.
    package var worked = 0
    package var workedHours = 0
    /// Work that was not kept as its person was told, what was told of it besides critical values, and readings without
    /// its flag.
    package var workWrong = 0
    package var unexplained = 0
    /// Rounds after which the system did not recover.
    package var unrecovered = 0
    /// One sentence on each finding.
    package var findings: [String] = []

    package init() {}

    /// Whether all counts that have to be 0 are.
    package var isClean: Bool {
        Self.faults.allSatisfy { self[keyPath: $0] == 0 }
    }

    /// The counts that have to be 0.
    private static var faults: [WritableKeyPath<Tally, Int>] {
        [
            \.lost, \.storedTwice, \.episodesWrong, \.alertsMissed, \.alertsLate, \.beyondThrottle, \.messagesWrong,
            \.silencesWrong, \.derivedWrong, \.hoursWrong, \.workWrong, \.unexplained, \.unrecovered,
        ]
    }

    mutating func note(_ count: WritableKeyPath<Tally, Int>, _ finding: String) {
        self[keyPath: count] += 1
        findings.append(finding)
    }

    static func += (sum: inout Tally, more: Tally) {
        let counts =
            faults + [
                \.handedOver, \.lostWithoutReceipt, \.episodesExpected, \.alertsExpected, \.duplicates, \.worked,
                \.workedHours,
            ]
        for count in counts { sum[keyPath: count] += more[keyPath: count] }
        sum.findings += more.findings
    }
}
