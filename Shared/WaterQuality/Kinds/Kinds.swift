/// The kinds: a line for each.
extension KindRules {
    @inline(__always) static var range: KindRules {
        KindRules(hasSides: true, reminders: nil, replacesText: true, recordsEach: true, namedLimit: .ofRange)
    }
    static let silence = KindRules(
        reminders: .daily, awaitsDelivery: true, timesAreOurs: true, calmIsRead: false,
        longestAcknowledgement: Reminders.daily.longest)
    static let fault = KindRules(
        reminders: .daily, awaitsDelivery: true, longestAcknowledgement: Reminders.daily.longest)
    static let rate = KindRules(reminders: .ofChange, namedLimit: .ofChange)
    static let ahead = KindRules(reminders: .never, namedLimit: .ofRange)
    static let byHand = KindRules(
        hasSides: true, reminders: .never, namedLimit: .ofRange, timesAreOurs: true, calmIsRead: false)
    /// Neither a test nor a note about the account has episodes.
    static let test = KindRules(
        reminders: .never, timesAreOurs: true, longestAcknowledgement: Reminders.daily.longest)
}

extension Alert.Kind {
    package var rules: KindRules {
        switch self {
        case .range: .range
        case .silence: .silence
        case .fault: .fault
        case .rate: .rate
        case .ahead: .ahead
        case .byHand: .byHand
        case .test, .way, .signIn, .summary, .proof, .care: .test
        }
    }
}
