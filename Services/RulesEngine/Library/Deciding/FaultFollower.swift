import Instants
import Postgres
import Store
import WaterQuality

/// The faults of probes that one claim decides on, and values that stay the same; nearly always none.
struct FaultFollower {
    let policy: AlertPolicy
    private var changed: [ProbeKey: ProbeFaultRecord] = [:]
    /// `nil` for those that are over.
    private var lines: [ProbeKey: FlatLine?] = [:]

    init(policy: AlertPolicy) { self.policy = policy }

    /// The word of one message on one probe.
    private struct Word {
        var key: ProbeKey
        var parameter: Parameter
        var device: WatchedDevice
        var moment: FoundAt
        /// The latest time that a stored mark can rightly carry (`EventTime.latest`).
        var latest: Timestamp
    }

    /// Decides what a message says of the probes of a device, for each person whose it is.
    /// - Parameter latest: The latest time that a stored mark can rightly carry (`EventTime.latest`).
    mutating func decide(
        _ message: ClaimedMessage, _ device: WatchedDevice, at moment: FoundAt, latest: Timestamp,
        _ ledger: inout Ledger
    ) {
        for parameter in device.probesInQuestion(message.content).parameters {
            let value = message.content.readings[parameter]
            // A value that is measured in work ends nothing: the first one after it does.
            if value != nil, device.work.working(at: moment.time + moment.lag, for: nil) != .no { continue }
            let word = Word(
                key: ProbeKey(device: message.device, parameter: parameter), parameter: parameter, device: device,
                moment: moment, latest: latest)
            let change = ProbeFault.change(
                of: device.probeFaults[parameter], by: value == nil ? .broken : .value, at: moment.time,
                lastEvaluated: device.watermark[parameter], latest: latest)
            switch change {
            case .none: break
            case .broken(let fault):
                set(fault, word, receivedAt: message.receivedAt)
                // The probe says itself that it is broken.
                if fault.isProven, device.flatLines[parameter] != nil { lose(word, &ledger) }
                if fault.isProven { endDifference(word, &ledger) }
                decide(word, &ledger) { .fault(fault, at: moment, open: $0, theirsFrom: $1) }
            case .over:
                set(nil, word, receivedAt: message.receivedAt)
                decide(word, &ledger) { .fault(nil, at: moment, open: $0, theirsFrom: $1) }
            }
            if let value, let line = device.flatLines[parameter] { follow(line, value, word, &ledger) }
        }
    }

    private mutating func set(_ fault: ProbeFault?, _ word: Word, receivedAt: Timestamp) {
        word.device.setFault(fault, word.parameter)
        changed[word.key] = ProbeFaultRecord(key: word.key, fault: fault, receivedAt: receivedAt)
    }

    /// Extends or ends the known flat line.
    private mutating func follow(_ line: FlatLine, _ value: Float, _ word: Word, _ ledger: inout Ledger) {
        let (moment, thresholds) = (word.moment, word.parameter.qualityThresholds)
        let chosen = word.device.probeChosen(for: word.parameter, lag: moment.lag, latest: word.latest)
        // Of another probe nothing is known.
        let change =
            chosen ?? .distantPast > line.since
            ? .lost : line.change(by: value, at: moment.time, latest: word.latest, thresholds: thresholds)
        switch change {
        case .none: return
        case .goesOn(let line): set(line, word)
        case .moved, .lost: set(nil, word)
        }
        decide(word, &ledger) {
            .flatLine(change, at: moment, open: $0, lasting: thresholds.flat?.fail ?? .zero, theirsFrom: $1)
        }
    }

    /// Ends a flat line without a word.
    private mutating func lose(_ word: Word, _ ledger: inout Ledger) {
        set(nil, word)
        decide(word, &ledger) { open, _ in .flatLine(.lost, at: word.moment, open: open, lasting: .zero) }
    }

    /// Ends a difference from a second probe without a word: a probe that is broken differs from none.
    private func endDifference(_ word: Word, _ ledger: inout Ledger) {
        decide(word, &ledger) { open, _ in open?.differsBy == nil ? .nothing : .moot(at: word.moment.time) }
    }

    private mutating func set(_ line: FlatLine?, _ word: Word) {
        word.device.setFlatLine(line, word.parameter)
        lines[word.key] = .some(line)
    }

    /// Decides for each person whose the device is.
    /// - Parameter find: Is given the open episode, and since when the device is the person's.
    private func decide(_ word: Word, _ ledger: inout Ledger, find: (Episode?, Timestamp?) -> Finding) {
        let moment = word.moment
        for person in word.device.people where person.isTheirs(at: moment.time, lag: moment.lag) {
            let work = word.device.work.working(at: moment.time + moment.lag, for: person.account)
            ledger.decide(
                Subject(
                    device: word.key.device, parameter: word.parameter, account: person.account, kind: .fault),
                at: Ledger.Moment(time: moment.time, now: moment.now, latest: word.latest), checkProbe: true,
                policy: person.policy(policy), find: { find($0, person.theirsFrom).during(work, open: $0) },
                content: { .fault(FaultContent(parameter: word.parameter, flatAt: $0.flatAt)) })
        }
    }

    /// Writes what is known of the probes.
    func write(_ transaction: PostgresTransaction) throws {
        if !changed.isEmpty { try transaction.perform(WriteProbeFaults(Array(changed.values))) }
        if !lines.isEmpty { try transaction.perform(WriteFlatLines(lines.map { ($0.key, $0.value) })) }
    }
}
