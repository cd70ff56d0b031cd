import Backoff
import DatabaseHealth
import FoundationEssentials
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle
import Store
import WaterQuality

extension DeliveryLoop {
    /// Leases whenever something may have come due, until the service is asked to stop.
    func lease() async throws {
        var nextMeasurement = ContinuousClock.now
        var queue = LeasingQueue()
        try await keepTryingUntilShutdown("leasing", logger: logger, isRetriable: PostgresError.isRetriable) { outage in
            // The signal that woke the failed attempt is used up.
            wake.raise()
            for await _ in wake.signal {
                heartbeat.beat()
                guard leaseKeeper.current != nil else {
                    connected.set(false)
                    continue
                }
                do {
                    try await heartbeat.whileAwaitingDatabase {
                        try await leaseAll(&queue)
                        if ContinuousClock.now >= nextMeasurement {
                            nextMeasurement = .now + .seconds(15)
                            try await measure()
                        }
                    }
                } catch {
                    connected.set(false)
                    throw error
                }
                outage.end()
                connected.set(true)
            }
        }
    }

    /// Leases as long as there is more and there is room.
    ///
    /// Not durable: a lease that is lost in a crash of the server makes its deliveries due again, or an alert fresh
    /// again, and they are sent once more with the same id. Nothing waits for the disk before it is sent; what a
    /// receiver has accepted is durable, and so is everything before it.
    private func leaseAll(_ queue: inout LeasingQueue) async throws {
        var isFull = true
        while isFull, !Task.isShuttingDownGracefully, let holder = leaseKeeper.current {
            let room = settings.capacity - sender.outstanding - recorder.outstanding
            guard room >= settings.capacity / 4 else { return wake.awaitProgress() }
            let held = sender.lookForHeld()
            (queue.held, queue.urgent) = (held.all, held.urgent)
            let limit = queue.limit(room: room)
            let terms = LeaseDeliveries(
                slots: Slot.all, limit: limit, staleAfter: settings.staleAfter, lease: settings.lease, holder: holder)
            let started = ContinuousClock.now
            // A bounded wait: while the database is away, the heartbeat shows that this notifier is not stuck.
            let deliveries = try await pool.transaction(
                TransactionOptions(isDurable: false), waitingAtMost: settings.patienceForDatabase
            ) { [queue] transaction in
                if queue.isMuch { try transaction.planForManyRows() }
                guard queue.isInTurn else { return try transaction.execute(terms) }
                return try transaction.execute(
                    LeaseInTurn(terms, after: queue.last, without: queue.held, butUrgentOf: queue.urgent))
            }
            metrics.leasing.observe(.now - started)
            isFull = deliveries.count >= limit
            queue.leased(deliveries, limit: limit)
            if let time = deliveries.first.map({ DatabaseTime($0.now) }) { take(deliveries, holder, time) }
            heartbeat.beat()
        }
        guard queue.isInTurn else { return }
        wake.awaitProgress { [sender] in sender.mayHaveMore }
        // It may have ended since the lease, and nothing else be on its way.
        wake.progress()
    }

    /// Has what was leased sent, or puts it off.
    private func take(_ deliveries: [LeasedDelivery], _ holder: LeaseHolder, _ time: DatabaseTime) {
        func leases(_ isTaken: (LeasedDelivery) -> Bool) -> [Lease] {
            LeasedDelivery.messages(of: deliveries.filter(isTaken)).map {
                Lease(deliveries: $0, holder: holder, time: time, host: Self.host(of: $0[0]))
            }
        }
        sender.add(leases { !$0.waitsForOlder && !$0.awaitsClock })
        putOff(leases(\.awaitsClock), for: settings.putOff)
        putOff(leases { $0.waitsForOlder && !$0.awaitsClock }, for: settings.patience)
    }

    private func putOff(_ leases: [Lease], for time: Duration) {
        if !leases.isEmpty { recorder.release(leases, after: time) }
    }

    /// The host whose lane it takes, for all mail the operator's server; empty for a target without one.
    private static func host(of delivery: LeasedDelivery) -> String {
        guard delivery.channel.known != .email else { return ServiceAddress.mailServer.host }
        return URL(string: delivery.target)?.host()?.lowercased() ?? ""
    }

    private func measure() async throws {
        guard let measured = try await pool.execute(MeasureDeliveries()).first else { return }
        metrics.pending.set(Double(measured.pending))
        metrics.lateness.set(max(0, -measured.dueIn))
        metrics.retrying.set(Double(measured.retrying))
        metrics.failingEndpoints.set(Double(measured.failingEndpoints))
        metrics.undeliveredAge.set(measured.oldestAlert)
    }
}
