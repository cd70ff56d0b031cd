import Instants
import Logging
import PushClient
import Secrets
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// Sends leased deliveries, a bounded number at once, outside of any transaction.
final class Sender: Sendable {
    private let channels: [Endpoint.Channel: any DeliveryChannel]
    private let leaseKeeper: LeaseKeeper
    private let truth: TruthCheck
    private let settings: NotifierSettings
    private let metrics: NotifierMetrics
    private let logger: Logger
    private let onAttempts: @Sendable ([Attempt]) -> Void
    /// Called with those that are not sent now, and when they are due again.
    private let onGivenBack: @Sendable ([Lease], Duration) -> Void
    private let lanes: Mutex<HostLanes<Lease>>
    private let held = Mutex(HeldAccounts())
    private let starts: AsyncStream<Lease>
    private let starter: AsyncStream<Lease>.Continuation

    init(
        channels: [Endpoint.Channel: any DeliveryChannel], leaseKeeper: LeaseKeeper, truth: TruthCheck,
        settings: NotifierSettings, metrics: NotifierMetrics, logger: Logger,
        onAttempts: @escaping @Sendable ([Attempt]) -> Void,
        onGivenBack: @escaping @Sendable ([Lease], Duration) -> Void
    ) {
        self.channels = channels
        self.leaseKeeper = leaseKeeper
        self.truth = truth
        self.settings = settings
        self.metrics = metrics
        self.logger = logger
        self.onAttempts = onAttempts
        self.onGivenBack = onGivenBack
        lanes = Mutex(HostLanes(settings.bounds))
        // Holds no more than may run at once.
        (starts, starter) = AsyncStream.makeStream()
    }

    /// How many wait or are being sent.
    var outstanding: Int { lanes.withLock { $0.waiting + $0.running } }

    /// The accounts for which nothing is leased now but what is critical.
    func lookForHeld() -> HeldAccounts {
        let outstanding = lanes.withLock(\.outstanding)
        return held.withLock {
            $0.look(at: outstanding)
            return $0
        }
    }

    /// Whether an account that was held may have more.
    var mayHaveMore: Bool {
        let outstanding = lanes.withLock(\.outstanding)
        return held.withLock { $0.isOver(outstanding) }
    }

    func add(_ leases: [Lease]) {
        let refused = lanes.withLock { lanes in
            leases.filter { !lanes.add($0, host: $0.host, account: $0.delivery.account) }
        }
        startSome()
        putOff(refused)
    }

    /// Too many wait for their host.
    private func putOff(_ leases: [Lease]) {
        guard !leases.isEmpty else { return }
        metrics.putOff.increment(by: leases.count)
        onGivenBack(leases, settings.putOff)
    }

    /// Sends until `stop`, and returns when what was started has ended.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await lease in starts {
                group.addTask {
                    let started = ContinuousClock.now
                    await self.send(lease)
                    let wasSlow = .now - started > self.slow(lease)
                    let excess = self.lanes.withLock {
                        $0.finish(host: lease.host, account: lease.delivery.account, wasSlow: wasSlow)
                    }
                    self.startSome()
                    self.putOff(excess)
                }
            }
        }
    }

    private func slow(_ lease: Lease) -> Duration {
        lease.delivery.channel.known.flatMap { channels[$0]?.slow(at: lease.host) } ?? settings.slow
    }

    /// Starts no more.
    /// - Returns: Those that were not started.
    func stop() -> [Lease] {
        let unsent = lanes.withLock { $0.removeWaiting() }
        starter.finish()
        return unsent
    }

    private func startSome() {
        lanes.withLock { lanes in
            while let lease = lanes.start() { starter.yield(lease) }
            metrics.waiting.set(lanes.waiting)
            metrics.sending.set(lanes.running)
        }
    }

    private func send(_ lease: Lease) async {
        let disposition = Lease.Disposition(
            leasedBy: lease.holder, current: leaseKeeper.current, elapsed: lease.time.elapsed, lease: settings.lease,
            longestAttempt: settings.longestAttempt)
        switch disposition {
        case .send: break
        case .letExpire: return metrics.overdueLeases.increment()
        case .release: return onGivenBack([lease], .zero)
        }
        let startedAt = lease.time.now
        let wanted = endingUnsent(lease.deliveries) { Attempt.unsent($0, now: startedAt) }
        guard let first = wanted.first else { return }
        guard let name = first.channel.known, let channel = channels[name] else {
            logger.error("A delivery on an unknown channel", [.alertID: "\(first.alert.name.text)"])
            return end(wanted.map { .impossible($0, "this version cannot send it", now: startedAt) })
        }
        let endpoint = Destination(
            id: first.key.endpoint, account: first.account, registeredAt: first.registeredAt, target: first.target,
            secrets: first.sealedSecrets.map(SealedSecret.init(stored:)), vapidKey: first.vapidKey,
            stopToken: first.stopToken, form: first.form)
        if let pause = channel.pause(before: endpoint) {
            metrics.paused.increment()
            return onGivenBack([lease.of(wanted)], pause)
        }
        guard let holding = await stillTrue(wanted, lease) else {
            return onGivenBack([lease.of(wanted)], settings.putOff)
        }
        guard !holding.isEmpty else { return }
        let reply = await channel.send(RenderedAlert(holding, named: lease.name), to: endpoint, at: startedAt)
        let verdict = channel.verdict(on: reply, of: endpoint, now: lease.time.now)
        conclude(holding, verdict, reply.answer, on: name, startedAt, lease.time.now)
    }

    /// Ends those deliveries that are not worth a request, and returns the others.
    private func endingUnsent(
        _ deliveries: [LeasedDelivery], _ attempt: (LeasedDelivery) -> Attempt?
    ) -> [LeasedDelivery] {
        var ended: [Attempt] = []
        defer { if !ended.isEmpty { end(ended) } }
        return deliveries.filter { delivery in
            guard let attempt = attempt(delivery) else { return true }
            ended.append(attempt)
            return false
        }
    }

    /// Ends those deliveries that have waited for their turn and say what does not hold any more, and returns the others.
    /// - Returns: `nil` when the database does not tell.
    private func stillTrue(_ deliveries: [LeasedDelivery], _ lease: Lease) async -> [LeasedDelivery]? {
        guard lease.time.elapsed >= settings.truthLasts else { return deliveries }
        var untrue: Set<AlertKey> = []
        for delivery in deliveries {
            guard let holds = await truth.holds(delivery.alert.key) else { return nil }
            if !holds { untrue.insert(delivery.alert.key) }
        }
        return endingUnsent(deliveries) {
            untrue.contains($0.alert.key) ? .untrue($0, now: lease.time.now) : nil
        }
    }

    /// Ends the attempt of a message for each delivery that it tells of. Those that were tried as often are tried again at the same time.
    private func conclude(
        _ deliveries: [LeasedDelivery], _ verdict: Verdict, _ answer: PushAnswer, on channel: Endpoint.Channel,
        _ startedAt: Timestamp, _ endedAt: Timestamp
    ) {
        let random = Double.random(in: 0...1)
        let attempts = deliveries.map {
            Attempt.concluded(
                $0, verdict, startedAt: startedAt, endedAt: endedAt, schedule: settings.schedule, random: random)
        }
        if let first = attempts.first { metrics.record(first, after: answer, channel: channel) }
        end(attempts)
    }

    /// Hands the results of a message over as one: recorded one after the other, those that are tried again at once would come apart.
    private func end(_ attempts: [Attempt]) {
        for attempt in attempts {
            log(attempt)
            metrics.recordEnd(of: attempt)
        }
        onAttempts(attempts)
    }

    /// Logs the result. The target is the person's secret and in no line.
    private func log(_ attempt: Attempt) {
        let (record, alert) = (attempt.record, attempt.delivery.alert)
        var facts: [LogKey: Logger.MetadataValue] = [
            .alertID: "\(alert.name.text)",
            .deliveryID: "\(alert.name.delivery(to: record.key.endpoint))",
            .endpointID: "\(record.key.endpoint)", .purpose: "\(alert.purpose.rawValue)",
            .attempt: "\(record.lease.number)",
            .kind: "\(record.outcome.rawValue)", .reason: "\(record.detail)", .eventTime: "\(alert.eventTime)",
        ]
        if let device = alert.device { facts[.device] = "\(device)" }
        if let receivedAt = alert.receivedAt { facts[.receivedAt] = "\(receivedAt)" }
        if let status = record.status { facts[.statusCode] = "\(status)" }
        logger.info(record.outcome == .accepted ? "Delivered" : "Not delivered", facts)
    }
}
