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
    package var kind: Alert.Kind
    package var language: Language
    package var notice: Notice
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
        /// `nil` for the silence of a whole device.
        package var parameter: Parameter?
        /// Of kind range.
        package var water: Water?
        /// Of an alarm or a reminder of kind rate.
        package var course: Course?
        /// Of an alarm of kind ahead.
        package var outlook: Outlook?
        /// Of kind fault, where the value stays the same.
        package var flat: Flat?
        package var since: Timestamp
        package var eventTime: Timestamp
        package var receivedAt: Timestamp?
        package var checkProbe: Bool
        /// Of an alarm or a reminder of kind silence: whether another probe answers in place of the one in the water.
        package var isAnotherProbe: Bool
        /// Whether the value is beyond the person's critical limit, which the limit then is.
        package var isCritical: Bool
        /// Whether it says that the water is unstable.
        package var isUnstable: Bool
    }

    /// What of the water is out of range.
    package struct Water: Sendable {
        package var side: Side
        package var unit: Unit
        /// In `unit`, rounded to the sensor's precision, like the limit.
        package var value: Double
        package var limit: Double
    }

    /// How a value changes.
    package struct Course: Sendable {
        package var unit: Unit
        /// In `unit`, above zero where it rose; so is the limit, the greatest change in an hour.
        package var by: Double
        package var seconds: Int64
        package var limit: Double
        /// What it has reached, in `unit`, rounded to the sensor's precision.
        package var value: Double
    }

    /// A value that stays the same.
    package struct Flat: Sendable {
        package var unit: Unit
        /// In `unit`, rounded to the sensor's precision.
        package var value: Double
    }

    /// The limit that a value reaches.
    package struct Outlook: Sendable {
        package var side: Side
        package var unit: Unit
        /// In `unit`, rounded to the sensor's precision, like the limit.
        package var value: Double
        package var limit: Double
        package var expectedAt: Timestamp
    }

    /// - Throws: `Unsayable` when the row lacks what its kind must have.
    init(_ delivery: LeasedDelivery) throws(Unsayable) {
        guard let purpose = delivery.purpose, let kind = delivery.kind else { throw Unsayable() }
        id = delivery.alertName.delivery(to: delivery.key.endpoint)
        alert = delivery.alertName
        self.purpose = purpose
        self.kind = kind
        language = Language(locale: delivery.locale)
        decidedAt = delivery.decidedAt
        expiresAt = delivery.expiresAt
        switch kind {
        case .test:
            notice = .test
            collapseKey = "test"
        case .silence:
            let facts = try Facts(delivery, water: nil)
            notice = delivery.silence(of: facts).notice(purpose)
            let parameter = facts.parameter.map { "/\($0.name)" } ?? ""
            collapseKey = "\(facts.deviceID)\(parameter)/\(kind.rawValue)"
            self.facts = facts
        case .fault:
            var facts = try Facts(delivery, water: nil)
            guard let parameter = facts.parameter else { throw Unsayable() }
            let told = delivery.fault(of: facts, parameter)
            facts.flat = Flat(told)
            notice = told.notice(purpose)
            collapseKey = "\(facts.deviceID)/\(parameter.name)/\(kind.rawValue)"
            self.facts = facts
        case .rate:
            var facts = try Facts(delivery, water: nil)
            guard let parameter = facts.parameter else { throw Unsayable() }
            let told = delivery.rate(of: facts, parameter)
            facts.course = Course(told)
            notice = told.notice(purpose)
            collapseKey = "\(facts.deviceID)/\(parameter.name)/\(kind.rawValue)"
            self.facts = facts
        case .ahead:
            var facts = try Facts(delivery, water: nil)
            guard let parameter = facts.parameter else { throw Unsayable() }
            let told = delivery.ahead(of: facts, parameter)
            facts.outlook = Outlook(told, expectedAt: delivery.expectedAt)
            notice = told.notice(purpose)
            collapseKey = "\(facts.deviceID)/\(parameter.name)/\(kind.rawValue)"
            self.facts = facts
        case .range:
            let told = try delivery.facts()
            let facts = try Facts(delivery, water: Water(told))
            notice = told.notice(purpose)
            collapseKey = "\(facts.deviceID)/\(told.parameter.name)/\(kind.rawValue)"
            self.facts = facts
        }
        let message = notice.message(in: language)
        title = message.title
        body = message.body
    }

    package struct Unsayable: Error {}
}

extension LeasedDelivery {
    fileprivate func facts() throws(RenderedAlert.Unsayable) -> AlertFacts {
        guard let parameter, let side, let value, let hardwareID else { throw RenderedAlert.Unsayable() }
        return AlertFacts(
            deviceName: deviceName ?? hardwareID, parameter: parameter, side: side, value: value, worst: worst,
            limit: limit, chosenUnit: unit.flatMap(Unit.init(rawValue:)), checkProbe: checkProbe,
            isCritical: isCritical, isUnstable: isUnstable, openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    fileprivate func fault(of facts: RenderedAlert.Facts, _ parameter: Parameter) -> FaultFacts {
        FaultFacts(
            deviceName: facts.deviceName, parameter: parameter, flatAt: value,
            chosenUnit: unit.flatMap(Unit.init(rawValue:)), openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    fileprivate func rate(of facts: RenderedAlert.Facts, _ parameter: Parameter) -> RateFacts {
        RateFacts(
            deviceName: facts.deviceName, parameter: parameter,
            change: RateFacts.Change(by: change, seconds: changeSeconds, value: value, limit: limit),
            chosenUnit: unit.flatMap(Unit.init(rawValue:)), openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    fileprivate func ahead(of facts: RenderedAlert.Facts, _ parameter: Parameter) -> AheadFacts {
        AheadFacts(
            deviceName: facts.deviceName, parameter: parameter,
            outlook: AheadFacts.Outlook(side: heading, value: value, limit: limit, expectedLocally: expectedLocally),
            chosenUnit: unit.flatMap(Unit.init(rawValue:)), openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    fileprivate func silence(of facts: RenderedAlert.Facts) -> SilenceFacts {
        SilenceFacts(
            deviceName: facts.deviceName, parameter: facts.parameter, checkProbe: checkProbe,
            openedLocally: openedLocally, eventLocally: eventLocally, decidedLocally: decidedLocally)
    }
}

extension RenderedAlert.Facts {
    fileprivate init(
        _ delivery: LeasedDelivery, water: RenderedAlert.Water?
    ) throws(RenderedAlert.Unsayable) {
        guard let deviceID = delivery.hardwareID else { throw RenderedAlert.Unsayable() }
        self.deviceID = deviceID
        deviceName = delivery.deviceName ?? deviceID
        parameter = delivery.parameter
        self.water = water
        since = delivery.openedAt
        eventTime = delivery.eventTime
        receivedAt = delivery.receivedAt
        checkProbe = delivery.checkProbe
        isAnotherProbe = SilenceCause.isAnotherProbe(
            delivery.kind, delivery.purpose, parameter: delivery.parameter, checkProbe: delivery.checkProbe)
        isCritical = delivery.isCritical
        isUnstable = delivery.isUnstable
    }
}

extension RenderedAlert.Flat {
    /// - Returns: `nil` where the probe says itself that it is broken.
    fileprivate init?(_ told: FaultFacts) {
        guard let value = told.flatAt, let values = told.told else { return nil }
        unit = values.unit
        self.value = values.number(value)
    }
}

extension RenderedAlert.Course {
    /// - Returns: `nil` for a recovery.
    fileprivate init?(_ told: RateFacts) {
        guard let change = told.change, let values = told.told else { return nil }
        unit = values.unit
        by = values.number(change.by)
        seconds = change.within.components.seconds
        limit = values.number(change.limit)
        value = values.shown(change.value)
    }
}

extension RenderedAlert.Outlook {
    /// - Returns: `nil` for a recovery.
    fileprivate init?(_ told: AheadFacts, expectedAt: Timestamp?) {
        guard let outlook = told.outlook, let values = told.told, let expectedAt else { return nil }
        side = outlook.side
        unit = values.unit
        value = values.number(outlook.value)
        limit = values.number(outlook.limit)
        self.expectedAt = expectedAt
    }
}

extension RenderedAlert.Water {
    fileprivate init(_ told: AlertFacts) {
        side = told.side
        let values = told.told
        unit = values.unit
        value = values.number(told.value)
        limit = values.number(told.limit ?? told.value)
    }
}
