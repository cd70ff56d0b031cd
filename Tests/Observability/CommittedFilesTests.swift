import Foundation
import TestSupport
import Testing

/// The files of `deploy/observability`, by themselves.
@Suite struct CommittedFilesTests {
    @Test func prometheusTakesThem() async throws {
        try await run("promtool", "check", "config", Committed.path("prometheus.yml"))
        try await run("amtool", "check-config", Committed.path("alertmanager.yml"))
        try await run("amtool", "check-config", Committed.path("alertmanager.example.yml"))
    }

    /// Each alert is shown to fire, and not to fire.
    @Test func everyAlertIsTested() async throws {
        let tests = Paths.repository.appending(path: "Tests/Observability/Rules/alerts.yml")
        try await run("promtool", "test", "rules", tests.path(percentEncoded: false))
        let lines = try String(contentsOf: tests, encoding: .utf8).split(separator: "\n")
        let alerts = try Committed.text("rules/alerts.yml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count > 25)
        for alert in alerts {
            let expectations = lines.filter { $0.contains("alertname=\"\(alert)\"") }
            #expect(expectations.contains { $0.contains("value: 1") }, "\(alert) is never seen to fire")
            #expect(
                alert == "AquaWatchdog" || expectations.contains { $0.contains("exp_samples: []") },
                "\(alert) is never seen quiet")
        }
    }

    /// An operator who is woken up can read what an alert means and what to type.
    @Test func everyAlertSaysWhatItMeans() throws {
        for alert in try Committed.text("rules/alerts.yml").split(separator: "- alert: ").dropFirst() {
            let name = alert.prefix { $0 != "\n" }
            #expect(alert.contains(/severity: (critical|warning|info|none)}/), "\(name)")
            #expect(alert.contains(/summary: '.+'\n/) && alert.contains(/impact: '.+'\n/), "\(name)")
            #expect(alert.contains(/action: '(docker|timedatectl).+'/), "\(name)")
        }
    }

    @Test func dashboardsCanBeShown() throws {
        let dashboards = try Committed.dashboards()
        #expect(dashboards.count == 5)
        #expect(Set(dashboards.map(\.uid)).count == dashboards.count)
        let sources = try Committed.text("grafana/provisioning/datasources/prometheus.yml")
        for dashboard in dashboards {
            #expect(dashboard.schemaVersion >= 36)
            #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
            for panel in dashboard.panels where panel.type != "row" {
                let place = "\(dashboard.title): \(panel.title)"
                #expect(panel.description?.isEmpty == false, "\(place) explains nothing")
                #expect(["stat", "timeseries", "table"].contains(panel.type), "\(place)")
                #expect(panel.type == "table" || panel.fieldConfig?.defaults.unit != nil, "\(place) has no unit")
                let targets = try #require(panel.targets)
                #expect(!targets.isEmpty && Set(targets.map(\.refId)).count == targets.count, "\(place)")
                for source in targets.map(\.datasource) + [try #require(panel.datasource)] {
                    #expect(sources.contains("uid: \(source.uid)\n    type: \(source.type)\n"), "\(place)")
                }
            }
            #expect(overlaps(dashboard.panels) == [])
        }
    }

    /// Panels that overlap in Grafana's grid of 24 columns.
    private func overlaps(_ panels: [Dashboard.Panel]) -> [String] {
        var taken: [[Int]: String] = [:]
        var overlaps: [String] = []
        for panel in panels {
            for x in panel.gridPos.x..<panel.gridPos.x + panel.gridPos.w {
                for y in panel.gridPos.y..<panel.gridPos.y + panel.gridPos.h {
                    if x >= 24 { overlaps.append("\(panel.title) leaves the grid") }
                    if let other = taken.updateValue(panel.title, forKey: [x, y]) {
                        overlaps.append("\(panel.title) covers \(other)")
                    }
                }
            }
        }
        return overlaps
    }

    private func run(_ program: String, _ arguments: String...) async throws {
        try await ProcessUnderTest.run("/usr/bin/\(program)", arguments)
    }
}

@Suite struct MetricSelectorTests {
    @Test(arguments: [
        ("sum by (job) (rate(a_total[5m])) > 0", ["a_total"]),
        (#"absent(up{job="rules"} == 1)"#, [#"up{job="rules"}"#]),
        ("a:b:rate5m{x=~\"y|}\"} and on (z) max(max_over_time(c[1d])) unless d", ["a:b:rate5m{x=~\"y|}\"}", "c", "d"]),
        ("histogram_quantile(0.99, sum by (le) (rate(h_bucket[5m]))) / 2 or vector(1)", ["h_bucket"]),
    ])
    func areFound(_ query: String, _ selectors: [String]) {
        #expect(metricSelectors(in: query) == selectors)
    }
}
