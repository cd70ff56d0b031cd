/// All facts about a round once it has settled: the devices' ledgers, stored samples and decisions, the requests at the
/// receivers, and the times of the fault. All times are microseconds since 1970 on this machine's clock.
package struct RoundRecord: Sendable {
    package var fault: Fault
    /// From the start of the fault until the system had recovered.
    package var trouble: ClosedRange<Int>
    /// The part of the trouble in which the fault was active.
    package var infliction: ClosedRange<Int>
    /// From a crash of the broker until its return, if it crashed.
    package var brokerOutage: ClosedRange<Int>?
    package var throttle: Int
    /// The endpoints that have to receive every alert for their person.
    package var endpoints: Set<Endpoint>
    /// The owner of each device.
    package var owners: [String: Person] = [:]
    package var readings: [LedgerReading] = []
    /// The readings that were measured before the round and handed over in it.
    package var earlierReadings: [LedgerReading] = []
    /// Work on the water, as people know of it, and as it is stored.
    package var work: [LedgerWork] = []
    package var storedWork: [StoredWork] = []
    /// The devices whose person has critical limits (`Water.hardMaximum`).
    package var workedOn: Set<String> = []
    /// The lines of people's tables.
    package var listed: [ListedReading] = []
    package var mischief = MischiefRecord()
    /// The number of the misbehaving device's messages that were set aside because the database refused them.
    package var setAside = 0
    package var stored: [StoredSample] = []
    package var episodes: [StoredEpisode] = []
    package var alerts: [StoredAlert] = []
    /// The time of the decision that an episode was over.
    package var ends: [EpisodeEnd: Int] = [:]
    package var requests: [WebhookRequest] = []
    package var hours: [StoredHour] = []
    /// The devices that were reported silent.
    package var silences: [StoredSilence] = []
    /// The readings with a wrong oxygen saturation: device and time.
    package var derivedWrong: [String] = []

    /// An episode, identified by the fields in alerts.
    package struct EpisodeEnd: Hashable, Sendable {
        package var device: String
        package var parameter: Int
        package var openedAt: Int

        package init(device: String, parameter: Int, openedAt: Int) {
            self.device = device
            self.parameter = parameter
            self.openedAt = openedAt
        }
    }

    package enum Endpoint: String, CaseIterable, Sendable {
        case first, second
        /// The other person's endpoint.
        case other

        package var person: Person { self == .other ? .lee : .kim }
    }

    package init(
        fault: Fault, trouble: ClosedRange<Int>, infliction: ClosedRange<Int>? = nil, throttle: Int,
        endpoints: Set<Endpoint> = Set(Endpoint.allCases)
    ) {
        self.fault = fault
        self.trouble = trouble
        self.infliction = infliction ?? trouble
        self.throttle = throttle
        self.endpoints = endpoints
    }
}

/// Readings of the misbehaving device that have to be stored all the same.
package struct MischiefRecord: Sendable {
    package var device = ""
    /// The times of readings whose clock was believed.
    package var times: Set<Int> = []
    /// The number of readings that are stored under their time of receipt.
    package var timedByReceipt = 0
    /// The number of messages that have to be among the rejects because the database refuses them.
    package var refused = 0

    package init() {}
}

/// A device that was reported silent.
package struct StoredSilence: Hashable, Sendable {
    package var device: String
    package var decidedAt: Int

    package init(device: String, decidedAt: Int) {
        self.device = device
        self.decidedAt = decidedAt
    }
}

package struct StoredSample: Hashable, Sendable {
    package var device: String
    package var time: Int
    /// The values in tenths, in the order of `Water.all`; nil where nothing is stored.
    package var values: [Int?]

    package init(device: String, time: Int, values: [Int?]) {
        self.device = device
        self.time = time
        self.values = values
    }
}

/// An hour of a device: its roll-up, and the same figures computed from the samples.
package struct StoredHour: Hashable, Sendable {
    package var device: String
    package var start: Int
    /// Count, sum, least and greatest as text, in the order of `Water.all`, and how many messages were of work.
    package var rolledUp: [String]
    package var samples: [String]
    /// The samples of work.
    package var worked: Int

    package init(device: String, start: Int, rolledUp: [String], samples: [String], worked: Int = 0) {
        self.device = device
        self.start = start
        self.rolledUp = rolledUp
        self.samples = samples
        self.worked = worked
    }
}

/// A stretch of work on the water in the database.
package struct StoredWork: Hashable, Sendable {
    package var device: String
    package var id: String
    package var from: Int
    package var until: Int
    package var endedAt: Int?
    package var endsAt: Int

    package init(device: String, id: String, from: Int, until: Int, endedAt: Int?, endsAt: Int) {
        self.device = device
        self.id = id
        self.from = from
        self.until = until
        self.endedAt = endedAt
        self.endsAt = endsAt
    }
}

/// A line of a person's table of readings.
package struct ListedReading: Hashable, Sendable {
    package var device: String
    package var time: Int
    package var isOfWork: Bool

    package init(device: String, time: Int, isOfWork: Bool) {
        self.device = device
        self.time = time
        self.isOfWork = isOfWork
    }
}

package struct StoredEpisode: Hashable, Sendable {
    package var device: String
    package var parameter: Int
    package var side: String
    package var openedAt: Int
    package var closedAt: Int?
    package var worst: Int

    package init(device: String, parameter: Int, side: String, openedAt: Int, closedAt: Int?, worst: Int) {
        self.device = device
        self.parameter = parameter
        self.side = side
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.worst = worst
    }
}

package struct StoredAlert: Hashable, Sendable {
    package var id: Int
    /// The id by which receivers know the alert.
    package var uid: String
    package var device: String
    package var parameter: Int
    /// `alarm`, `reminder` or `recovery`.
    package var purpose: String
    package var side: String
    /// The time at which the alert's episode was opened.
    package var openedAt: Int
    /// The event time of the reading in the alert's text.
    package var eventTime: Int
    package var decidedAt: Int
    /// The time at which the first delivery was accepted, as the database knows it.
    package var acceptedAt: Int?
    /// The time at which the record of that was committed: from then on a decision knows of it.
    package var notedAt: Int?
    /// The time at which a delivery was cancelled, because the alert was over.
    package var cancelledAt: Int?
    /// What the notifier says about that.
    package var cancelledBecause: String?

    package init(
        id: Int, uid: String, device: String, parameter: Int, purpose: String, side: String = "high", openedAt: Int,
        eventTime: Int, decidedAt: Int, acceptedAt: Int?, notedAt: Int?, cancelledAt: Int? = nil,
        cancelledBecause: String? = nil
    ) {
        self.id = id
        self.uid = uid
        self.device = device
        self.parameter = parameter
        self.purpose = purpose
        self.side = side
        self.openedAt = openedAt
        self.eventTime = eventTime
        self.decidedAt = decidedAt
        self.acceptedAt = acceptedAt
        self.notedAt = notedAt
        self.cancelledAt = cancelledAt
        self.cancelledBecause = cancelledBecause
    }
}

package struct WebhookRequest: Hashable, Sendable {
    package enum Outcome: Sendable {
        /// Answered 2xx.
        case accepted
        case refused
        /// Received but not answered: the sender cannot know of the receipt.
        case unanswered
    }

    package var endpoint: RoundRecord.Endpoint
    package var id: String
    /// The alert's `uid`.
    package var alert: String
    package var collapseKey: String
    package var at: Int
    package var outcome: Outcome
    /// The message's content.
    package var message: ToldMessage
    /// Whether the signature is valid for the endpoint's secret.
    package var isGenuine: Bool

    package init(
        endpoint: RoundRecord.Endpoint, id: String, alert: String, collapseKey: String, at: Int, outcome: Outcome,
        message: ToldMessage, isGenuine: Bool = true
    ) {
        self.endpoint = endpoint
        self.id = id
        self.alert = alert
        self.collapseKey = collapseKey
        self.at = at
        self.outcome = outcome
        self.message = message
        self.isGenuine = isGenuine
    }
}
