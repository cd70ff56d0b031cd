import ServiceKit

/// Metrics of the upkeep and of the tables that it maintains.
struct UpkeepMetrics: Sendable {
    /// Kinds of rows that are removed by age.
    enum Kind: String, MetricLabel {
        case samples, positions, hours, alerts, rejects, audit
        static let labelName = "kind"
    }

    let rolledUp: Labelled<RollUpStep.Reason, Counter>
    let lag: Gauge
    let dueHours: Gauge
    let reviewed: Counter
    let dueDays: Gauge
    let partitionsAhead: Gauge
    let standbys: Gauge
    let backupAge: Gauge
    let openAlarms: Gauge
    let silentDevices: Gauge
    let unreachedPeople: Gauge
    let enrolmentWaits: Gauge
    let removed: Labelled<Kind, Counter>
    let retentionSucceeded: Labelled<Kind, Gauge>
    let erased: Counter
    let failures: Counter

    init(_ registry: MetricsRegistry) {
        rolledUp = registry.counter(
            "aqua_ingestor_rollups_total", "Hours of a slot that were rolled up.", by: RollUpStep.Reason.self)
        lag = registry.gauge(
            "aqua_ingestor_rollup_lag_seconds",
            "Time since the end of the hour up to which everything is rolled up; over 4500 it is behind.")
        dueHours = registry.gauge(
            "aqua_ingestor_rollups_due", "Hours of slots that wait to be rolled up again.")
        reviewed = registry.counter(
            "aqua_ingestor_reviews_total", "Days of devices that were put to the tests of quality.")
        dueDays = registry.gauge(
            "aqua_ingestor_reviews_due", "Days of devices that wait for the tests of quality.")
        partitionsAhead = registry.gauge("aqua_ingestor_partitions_ahead", "Days to come that have a partition.")
        standbys = registry.gauge(
            "aqua_ingestor_database_standbys", "Standbys that receive from the database, copies being made included.")
        backupAge = registry.gauge(
            "aqua_ingestor_backup_age_seconds",
            "Age of the last good backup; where none was made, for how long one has been expected.")
        openAlarms = registry.gauge(
            "aqua_ingestor_open_alarms", "Episodes that go on, for all people together, silences aside.")
        silentDevices = registry.gauge(
            "aqua_ingestor_silent_devices", "Devices of which somebody is told that they are silent.")
        unreachedPeople = registry.gauge(
            "aqua_ingestor_unreached_people", "People with a device whom no alert would reach.")
        enrolmentWaits = registry.gauge(
            "aqua_ingestor_enrolment_waits_seconds",
            "For how long the oldest devices have waited for the enroller that somebody asked for.")
        removed = registry.counter(
            "aqua_ingestor_forgotten_total",
            "Partitions, positions, episodes with test alerts, or rejects that were removed for their age.",
            by: Kind.self)
        retentionSucceeded = registry.gauge(
            "aqua_ingestor_retention_success_timestamp_seconds",
            "When everything was last seen to be no older than it may be.", by: Kind.self)
        erased = registry.counter(
            "aqua_ingestor_erased_total", "Rows of readings that were erased because an account was closed.")
        failures = registry.counter("aqua_ingestor_upkeep_failures_total", "Turns of the upkeep that failed.")
    }
}
