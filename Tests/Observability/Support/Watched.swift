/// A query of a rule or of a dashboard's panel, with its place.
struct Watched: Sendable {
    let place: String
    let query: String
    /// Whether the query has an answer whenever the system works. An alert's has none while nothing is wrong, but its
    /// metrics must exist.
    let isAnswered: Bool
}

extension Prometheus {
    /// All queries of the rules, as Prometheus has loaded them, and of the dashboards.
    func watched() async throws -> [Watched] {
        let rules = try await rules().map { rule in
            Watched(place: "rule \(rule.name)", query: rule.query, isAnswered: rule.type == "recording")
        }
        let panels = try Committed.dashboards().flatMap { dashboard in
            dashboard.panels.flatMap { panel in
                (panel.targets ?? []).map {
                    Watched(place: "\(dashboard.title): \(panel.title)", query: $0.expr, isAnswered: true)
                }
            }
        }
        return rules + panels
    }

    /// The faults of a query: it cannot be evaluated, or uses an unknown metric.
    func faults(of watched: Watched) async throws -> [String] {
        var faults: [String] = []
        do {
            if try await query(watched.query).isEmpty, watched.isAnswered { faults.append("has no answer") }
            for selector in metricSelectors(in: watched.query) where try await query(selector).isEmpty {
                faults.append("nobody measures \(selector)")
            }
        } catch {
            faults.append("\(error)")
        }
        return faults.map { "\(watched.place): \($0)" }
    }
}
