package import Instants
import Messaging
import Secrets
import ServiceKit
package import Store
import WaterQuality

/// An alert, or several that are told together, in the words and units of the person who is told: all that a channel needs to send it.
package struct RenderedAlert: Sendable {
    /// The same in every attempt, so that a receiver can tell a repeat; holds no dot.
    package var id: String
    /// The same for an alarm, its reminders and its recovery: each replaces the one before it.
    package var collapseKey: String
    /// The gravest alert.
    package var alert: StoredAlert
    /// All of them, the gravest first.
    package var alerts: [StoredAlert]
    /// Whether it tells later what was gathered.
    package var isDigest: Bool
    package var title: String
    package var body: String
    package var expiresAt: Timestamp
    /// The database's token by which whoever has the message answers the alarm, and what is told with it; nil where there is nothing to
    /// answer.
    package var answerToken: String?
    /// The database's token by which a browser's worker, or an app, tells that the message has arrived.
    package var receiptToken: String?

    /// - Parameters:
    ///   - deliveries: At least one, all to the same endpoint.
    ///   - name: By which a message about several is known.
    init(_ deliveries: [LeasedDelivery], named name: AlertName) {
        let deliveries = deliveries.sorted { ($0.gravity, $0.alert.key.alert) < ($1.gravity, $1.alert.key.alert) }
        let first = deliveries[0]
        let isOne = deliveries.count == 1
        alert = first.alert
        alerts = deliveries.map(\.alert)
        isDigest = first.isGathered
        id = (isOne ? first.alert.name : name).delivery(to: first.key.endpoint)
        collapseKey = isOne ? first.alert.collapseKey : "group/\(name.text)"
        (title, body) = ("", "")
        expiresAt = first.expiresAt
        answerToken = first.answerToken
        receiptToken = first.receiptToken
        let words = words()
        (title, body) = (words.title, words.body)
    }

    /// Title and text.
    /// - Parameters:
    ///   - longestName: The most bytes of a device's name in the title, so that what is wrong with it is not cut off.
    ///   - most: How many lines there is room for, of several alerts; `nil`: for as many as are read.
    func words(longestName: Int = .max, most: Int? = nil) -> Notice.Message {
        guard alerts.count > 1 else {
            return alert.notice.cuttingName(toBytes: longestName).message(in: alert.language)
        }
        return group(longestName: longestName, most: most).message(in: alert.language)
    }

    /// The lines of a message about several alerts, each with the collapse key that a message about its alert alone would have.
    /// - Parameter most: How many lines there is room for.
    func lines(most: Int) -> [(collapseKey: String, text: String)] {
        let lines = group(longestName: Self.longestNameInLine, most: most).lines(in: alert.language)
        return Array(zip(alerts.map(\.collapseKey), lines).map { (collapseKey: $0, text: $1) })
    }

    /// Where the app shows it.
    var path: String {
        if alert.kind == .known(.care) { return "/care" }
        return alerts.count > 1 ? "/alerts" : "/alerts/\(alert.name.text)"
    }

    private static let longestNameInLine = 40

    /// The most alerts that have a line of their own, or a name in one, where there is room.
    var mostLines: Int { group(longestName: .max, most: nil).mostLines }

    private func group(longestName: Int, most: Int?) -> NoticeGroup {
        let longest = isDigest ? min(longestName, Self.longestNameInLine) : longestName
        return NoticeGroup(
            alerts.map { $0.notice.cuttingName(toBytes: longest) }, isDigest: isDigest, mostLines: most)
    }

    /// The links by which whoever has the message answers it.
    func answerLinks(origin: PublicOrigin, sealedWith key: SecretKey) -> AnswerLinks? {
        let isCare = alert.kind == .known(.care)
        let link = isCare ? SealedLink.care : .answer
        guard let answerToken, let token = try? link.text(of: answerToken, sealedWith: key) else { return nil }
        return isCare
            ? AnswerLinks(
                .care, page: "\(origin.text)/care/answer#\(token)", posted: "\(origin.text)/api/v1/care-answers",
                token: token)
            : AnswerLinks(
                page: "\(origin.text)/answer#\(token)", posted: "\(origin.text)/api/v1/answers", token: token)
    }

    /// Where the key is posted by which somebody answers the alarm in a call to an endpoint.
    func keyed(origin: PublicOrigin, to endpoint: Endpoint.ID, sealedWith key: SecretKey) -> String? {
        // A telephone rings for no reminder.
        answerToken.flatMap { token in
            try? CallLink(answerToken: token, endpoint: endpoint.rawValue).text(sealedWith: key)
        }.map { "\(origin.text)/api/v1/call-answers/\($0)" }
    }
}

extension LeasedDelivery {
    /// The rank among alerts that are told together: what is critical first, then what goes on, then what was over.
    fileprivate var gravity: Int {
        switch alert.purpose.known {
        case .alarm, .escalation: alert.content.range?.isCritical == true ? 0 : 1
        case .reminder, .ended: 2
        case .past: 3
        case .recovery, .calledOff, .test, .note, nil: 4
        }
    }
}

extension Notice {
    /// The same with a device's name of at most so many bytes.
    fileprivate func cuttingName(toBytes most: Int) -> Notice {
        var notice = self
        notice.deviceName = deviceName?.cut(toBytes: most)
        return notice
    }
}
