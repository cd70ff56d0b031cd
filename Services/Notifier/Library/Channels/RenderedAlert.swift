package import Instants
package import Store
package import WaterQuality

/// An alert in the words and units of the person who is told: all that a channel needs to send it.
package struct RenderedAlert: Sendable {
    /// The same in every attempt, so that a receiver can tell a repeat; holds no dot.
    package var id: String
    /// The same for an alarm, its reminders and its recovery: each replaces the one before it.
    package var collapseKey: String
    package var alert: AlertName
    package var purpose: Alert.Purpose
    package var title: String
    package var body: String
    package var decidedAt: Timestamp
    package var expiresAt: Timestamp
    /// nil in a test.
    package var facts: Facts?

    /// What a program wants to know.
    package struct Facts: Sendable {
        package var deviceID: String
        package var deviceName: String
        package var parameter: Parameter
        package var side: Side
        package var unit: Unit
        /// In `unit`, rounded to the sensor's precision, like the limit.
        package var value: Double
        package var limit: Double
        package var since: Timestamp
        package var eventTime: Timestamp
        package var receivedAt: Timestamp?
        package var checkProbe: Bool
    }

    /// - Throws: `Unsayable` when the row lacks what its kind must have.
    package init(_ delivery: LeasedDelivery) throws(Unsayable) {
        guard let purpose = delivery.purpose, let kind = delivery.kind else { throw Unsayable() }
        id = delivery.alertName.delivery(to: delivery.key.endpoint)
        alert = delivery.alertName
        self.purpose = purpose
        decidedAt = delivery.decidedAt
        expiresAt = delivery.expiresAt
        let notice: Notice
        if purpose == .test {
            notice = .test
            collapseKey = "test"
        } else {
            let facts = try Facts(delivery)
            notice = facts.notice(purpose, delivery)
            collapseKey = "\(facts.deviceID)/\(facts.parameter.name)/\(kind.rawValue)"
            self.facts = facts
        }
        let message = notice.message(in: Language(locale: delivery.locale))
        title = message.title
        body = message.body
    }

    package struct Unsayable: Error {}
}

extension RenderedAlert.Facts {
    fileprivate init(_ delivery: LeasedDelivery) throws(RenderedAlert.Unsayable) {
        guard let parameter = delivery.parameter, let side = delivery.side, let value = delivery.value,
            let deviceID = delivery.hardwareID
        else { throw RenderedAlert.Unsayable() }
        let chosen = delivery.unit.flatMap(Unit.init(rawValue:)) ?? parameter.canonicalUnit
        let unit = parameter.accepts(chosen) ? chosen : parameter.canonicalUnit
        self.deviceID = deviceID
        deviceName = delivery.deviceName ?? deviceID
        self.parameter = parameter
        self.side = side
        self.unit = unit
        self.value = parameter.number(value, in: unit)
        // A limit that was taken away since leaves the value to stand for it.
        limit = parameter.number(delivery.limit ?? value, in: unit)
        since = delivery.openedAt
        eventTime = delivery.eventTime
        receivedAt = delivery.receivedAt
        checkProbe = delivery.checkProbe
    }

    fileprivate func notice(_ purpose: Alert.Purpose, _ delivery: LeasedDelivery) -> Notice {
        let value = delivery.value ?? 0
        let trouble = Notice.Trouble(
            deviceName: deviceName, parameter: parameter, side: side, value: value, limit: delivery.limit ?? value,
            unit: unit, since: delivery.openedLocally.civilTime(), now: delivery.decidedLocally.civilTime(),
            checkProbe: checkProbe)
        return switch purpose {
        case .alarm: .alarm(trouble)
        case .reminder: .reminder(trouble, worst: delivery.worst ?? value)
        case .recovery: .recovery(trouble, at: delivery.eventLocally.civilTime())
        case .test: .test
        }
    }
}

extension Parameter {
    /// A canonical value as a number in `unit`, rounded like its text.
    fileprivate func number(_ value: Float, in unit: Unit) -> Double {
        Double(Steps(Float(unit.fromCanonical(Double(value))), of: self).count) / Double(stepsPerUnit)
    }
}
