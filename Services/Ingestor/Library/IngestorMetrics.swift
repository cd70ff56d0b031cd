import ServiceKit
import Store

/// The metrics of an Ingestor.
struct IngestorMetrics: Sendable {
    let messages: Counter
    let canaryMessages: Counter
    let stored: Counter
    let repeated: Counter
    let implausibleTimes: Counter
    let rejects: Labelled<RejectReason, Counter>
    let receipts: Counter
    let ignoredResponseTopics: Counter
    let batches: Counter
    let batchSize: Histogram
    let commit: Histogram
    let acknowledge: Histogram
    let devices: Gauge
    let clockDoubts: Labelled<ClockDoubt, Gauge>
    let adoptedSeats: Counter
    let seatHeld: Gauge
    let brokerConnected: Gauge
    let isLevel: Gauge

    init(_ registry: MetricsRegistry) {
        messages = registry.counter("aqua_ingestor_messages_total", "Messages that the broker handed over.")
        canaryMessages = registry.counter(
            "aqua_ingestor_canary_messages_total", "Messages of the canary, which are among those handed over.")
        stored = registry.counter("aqua_ingestor_stored_total", "Messages that were stored as new.")
        repeated = registry.counter("aqua_ingestor_repeated_total", "Messages that were stored before.")
        implausibleTimes = registry.counter(
            "aqua_ingestor_implausible_times_total", "Messages whose device's clock was not believed.")
        rejects = registry.counter(
            "aqua_ingestor_rejects_total", "Messages and parts of messages that could not be counted.",
            by: RejectReason.self)
        receipts = registry.counter("aqua_ingestor_receipts_total", "Commit receipts that were sent.")
        ignoredResponseTopics = registry.counter(
            "aqua_ingestor_ignored_response_topics_total", "Response topics outside of the device's own topics.")
        batches = registry.counter("aqua_ingestor_batches_total", "Batches that were committed.")
        batchSize = registry.histogram(
            "aqua_ingestor_batch_messages", "Messages in a batch.", bounds: Histogram.sizeBounds)
        commit = registry.histogram("aqua_ingestor_commit_seconds", "From reading a batch to its commit.")
        acknowledge = registry.histogram(
            "aqua_ingestor_acknowledge_seconds", "From a commit until all its PUBACKs have left for the broker.")
        registry.gauge("aqua_ingestor_batch_limit_messages", "How many messages a batch holds at most.")
            .set(Lane.batchMessages)
        seatHeld = registry.gauge(
            "aqua_ingestor_seat_held", "1 while this Ingestor has a seat; one that has none stands by.")
        brokerConnected = registry.gauge(
            "aqua_broker_connected", "1 while the Ingestor is subscribed to the devices' readings.")
        isLevel = registry.gauge(
            "aqua_ingestor_level",
            "1 while the broker answers and holds nothing back. While it is 0 nobody counts as silent.")
        devices = registry.gauge(
            "aqua_ingestor_devices", "Devices that were heard since the start, without the canary.")
        clockDoubts = registry.gauge(
            "aqua_ingestor_device_clocks", "Devices whose times are not believed, or lie longer back than is decided.",
            by: ClockDoubt.self)
        adoptedSeats = registry.counter(
            "aqua_ingestor_adopted_seats_total", "Sessions of empty seats that were drained and ended.")
    }

    /// Counts that one lane last reported of its devices. The gauges are the sum over all lanes.
    struct DeviceCounts: Sendable {
        fileprivate var devices = 0
        fileprivate var doubts: [ClockDoubt: Int] = [:]
    }

    func record(_ registry: DeviceRegistry, inPlaceOf told: inout DeviceCounts) {
        devices.add(Double(registry.countOfOthers - told.devices))
        told.devices = registry.countOfOthers
        for doubt in ClockDoubt.allCases {
            clockDoubts[doubt].add(Double(registry.count(doubt) - told.doubts[doubt, default: 0]))
            told.doubts[doubt] = registry.count(doubt)
        }
    }

    /// - Parameter canary: The canary, where it has been heard.
    func record(
        _ batch: IngestBatch, messages count: Int, of canary: DeviceKey?, _ outcome: BatchTransaction.Outcome,
        took duration: Duration
    ) {
        messages.increment(by: count)
        if let canary { canaryMessages.increment(by: batch.samples.count { $0.key.owner == canary }) }
        stored.increment(by: outcome.stored)
        repeated.increment(
            by: batch.repetitions
                + max(
                    0,
                    batch.samples.count { $0.hasReadings && !outcome.refused.contains($0.key) } - outcome.stored))
        implausibleTimes.increment(by: batch.implausibleTimes)
        for (reason, count) in batch.rejectCounts { rejects[reason].increment(by: count) }
        receipts.increment(by: batch.receipts.count)
        ignoredResponseTopics.increment(by: batch.ignoredResponseTopics)
        batches.increment()
        batchSize.observe(Double(count))
        commit.observe(duration)
    }
}
