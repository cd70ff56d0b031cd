/// How long data are kept.
package struct RetentionSettings: Hashable, Sendable {
    package var samples = days(90)
    /// Hourly roll-ups; daily ones are kept for ever.
    package var hours = days(800)
    /// Ended episodes with their transitions, alerts, deliveries and attempts.
    package var alerts = days(800)
    /// The audit log, by whole months.
    package var audit = days(400)

    /// The shortest retention: late samples arrive, and repeated samples are recognised, within this time.
    package static let least = days(8)
    fileprivate static let most = days(36_500)

    package init() {}

    private static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
}

extension ConfigurationReader {
    /// `AQUA_SAMPLE_RETENTION`, `AQUA_HOURLY_RETENTION`, `AQUA_ALERT_RETENTION` and `AQUA_AUDIT_RETENTION`.
    package func retention() -> RetentionSettings {
        let usual = RetentionSettings()
        let bounds = RetentionSettings.least...RetentionSettings.most
        var settings = RetentionSettings()
        settings.samples = duration(.sampleRetention, default: usual.samples, within: bounds)
        // The default adapts to the samples' retention, so that it is never at fault.
        settings.hours = duration(.hourlyRetention, default: max(usual.hours, settings.samples), within: bounds)
        settings.alerts = duration(.alertRetention, default: usual.alerts, within: bounds)
        settings.audit = duration(.auditRetention, default: usual.audit, within: bounds)
        if settings.hours < settings.samples {
            fault(
                .hourlyRetention, "is \(durationText(settings.hours)), less than samples are kept",
                remedy: "set it to at least \(durationText(settings.samples)), or lower AQUA_SAMPLE_RETENTION")
        }
        return settings
    }
}
