import Foundation
import ServiceKit
import Testing

enum Outcome: String, MetricLabel {
    static let labelName = "outcome"
    case accepted
    case refused = "re\"fu\\sed"
}

enum Channel: String, MetricLabel {
    static let labelName = "channel"
    case webhook, mail
}

/// A registry with one metric of every sort.
func exampleRegistry() -> MetricsRegistry {
    let registry = MetricsRegistry()
    registry.addProcessMetrics()
    registry.counter("aqua_messages_total", "Messages, each counted once; a \\ and\na line break.").increment(by: 3)
    registry.counter("aqua_deliveries_total", "Deliveries.", by: LabelPair<Channel, Outcome>.self)[.mail, .refused]
        .increment()
    registry.gauge("aqua_buffer_messages", "Messages in the buffer.").set(-2.5)
    _ = registry.gauge("aqua_open_episodes", "Open episodes.", by: Channel.self)
    registry.histogram("aqua_commit_duration_seconds", "Commit.", bounds: [0.1, 1]).observe(.milliseconds(500))
    _ = registry.histogram("aqua_send_duration_seconds", "Send.", by: Channel.self)
    registry.observed(.gauge, "aqua_untold", "Cannot be told.") { nil }
    return registry
}

@Suite struct MetricsTests {
    @Test func rendersByTheBook() {
        let registry = MetricsRegistry()
        let commits = registry.histogram("b_seconds", "B.", bounds: [0.1, 1])
        for seconds in [0.05, 0.1, 0.5, 7] { commits.observe(seconds) }
        registry.counter("a_total", "A, \\ and\nmore.", by: Outcome.self)[.refused].increment(by: 2)
        registry.gauge("c", "C.").set(.infinity)
        #expect(
            registry.render() == #"""
                # HELP a_total A, \\ and\nmore.
                # TYPE a_total counter
                a_total{outcome="accepted"} 0
                a_total{outcome="re\"fu\\sed"} 2
                # HELP b_seconds B.
                # TYPE b_seconds histogram
                b_seconds_bucket{le="0.1"} 2
                b_seconds_bucket{le="1"} 3
                b_seconds_bucket{le="+Inf"} 4
                b_seconds_sum 7.65
                b_seconds_count 4
                # HELP c C.
                # TYPE c gauge
                c +Inf

                """#)
    }

    @Test func everySeriesStartsAtZero() throws {
        let registry = MetricsRegistry()
        let deliveries = registry.counter("d_total", "D.", by: LabelPair<Channel, Outcome>.self)
        #expect(deliveries[.webhook, .accepted].value == 0)
        let samples = try Exposition(registry.render()).samples
        #expect(samples.count == 4)
        #expect(samples.allSatisfy { $0.value == 0 })
    }

    @Test func everythingRenderedIsReadable() throws {
        let exposition = try Exposition(exampleRegistry().render())
        #expect(exposition.types["aqua_commit_duration_seconds"] == "histogram")
        #expect(exposition.value("aqua_deliveries_total", ["channel": "mail", "outcome": "re\"fu\\sed"]) == 1)
        #expect(exposition.value("aqua_deliveries_total", ["channel": "webhook", "outcome": "accepted"]) == 0)
        #expect(exposition.value("aqua_buffer_messages") == -2.5)
        #expect(exposition.value("aqua_commit_duration_seconds_bucket", ["le": "+Inf"]) == 1)
        #expect(exposition.value("aqua_untold") == nil)
    }

    @Test func tellsOfTheProcess() throws {
        let exposition = try Exposition(exampleRegistry().render())
        let resident = try #require(exposition.value("process_resident_memory_bytes"))
        #expect(resident > 1_000_000)
        #expect(try #require(exposition.value("process_cpu_seconds_total")) >= 0)
        #expect(try #require(exposition.value("process_open_fds")) >= 3)
        #expect(try #require(exposition.value("process_max_fds")) >= 3)
        let start = try #require(exposition.value("process_start_time_seconds"))
        #expect(start > 1_700_000_000)
        #expect(start < Date().timeIntervalSince1970 + 5)
    }

    @Test func concurrentCountsAreAllKept() async {
        let registry = MetricsRegistry()
        let counter = registry.counter("n_total", "N.")
        let gauge = registry.gauge("n", "N.")
        let histogram = registry.histogram("n_seconds", "N.")
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500_000 { counter.increment() }
                    for _ in 0..<50_000 { gauge.add(1) }
                    for _ in 0..<5_000 { histogram.observe(0.5) }
                }
            }
        }
        #expect(counter.value == 4_000_000)
        #expect(gauge.value == 400_000)
        #expect(histogram.count == 40_000)
    }

    @Test func oneNotANumberDoesNotSpoilAHistogram() throws {
        let registry = MetricsRegistry()
        let histogram = registry.histogram("n_seconds", "N.", bounds: [1])
        histogram.observe(.nan)
        histogram.observe(0.5)
        #expect(try Exposition(registry.render()).value("n_seconds_sum") == 0.5)
    }

    @Test func aNameIsTakenOnce() async {
        await #expect(processExitsWith: .failure) {
            let registry = MetricsRegistry()
            _ = registry.gauge("twice", "T.")
            _ = registry.gauge("twice", "T.")
        }
    }
}
