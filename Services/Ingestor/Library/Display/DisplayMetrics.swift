import ServiceKit

/// The metrics of displays and buttons.
struct DisplayMetrics: Sendable {
    let devices: Gauge
    let messages: Counter
    let presses: Labelled<ButtonPress.Outcome, Counter>

    init(_ registry: MetricsRegistry) {
        devices = registry.gauge(
            "aqua_ingestor_displays", "Devices that show what their owner sees, of the Ingestor that keeps displays.")
        messages = registry.counter("aqua_ingestor_display_messages_total", "Messages to devices that show something.")
        presses = registry.counter(
            "aqua_ingestor_presses_total", "Presses of devices' buttons.", by: ButtonPress.Outcome.self)
    }
}
