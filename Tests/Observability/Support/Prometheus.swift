import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport

/// A real Prometheus with a real Alertmanager on the committed configuration; the test changes only targets and
/// intervals.
struct Prometheus: Sendable {
    let address: String
    let alertmanager: String

    /// - Parameter targets: The addresses of each job.
    static func with(
        _ targets: [String: String], _ body: @Sendable @escaping (Prometheus) async throws -> Void
    ) async throws {
        try await Paths.withTemporaryDirectory { directory in
            let prometheus = Prometheus(
                address: "127.0.0.1:\(Ports.free())", alertmanager: "127.0.0.1:\(Ports.free())")
            let processes = try prometheus.start(in: directory, targets)
            do {
                try await prometheus.untilReady(processes)
                try await body(prometheus)
            } catch {
                for process in processes { FileHandle.standardError.write(Data(process.tail.utf8)) }
                for process in processes { await process.stop() }
                throw error
            }
            for process in processes { await process.stop() }
        }
    }

    private func start(in directory: URL, _ targets: [String: String]) throws -> [ProcessUnderTest] {
        func path(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }
        var targets = targets
        targets["prometheus"] = address
        targets["alertmanager"] = alertmanager
        let configuration = try Self.configuration(targets)
        try Data(configuration.utf8).write(to: directory.appending(path: "prometheus.yml"))
        return [
            try ProcessUnderTest.start(
                "/usr/bin/prometheus",
                [
                    "--config.file=\(path("prometheus.yml"))", "--storage.tsdb.path=\(path("data"))",
                    "--web.listen-address=\(address)", "--log.level=warn",
                    // Sends alerts from before Alertmanager was known again at once, not after a minute.
                    "--rules.alert.resend-delay=1s",
                ]),
            try ProcessUnderTest.start(
                "/usr/bin/prometheus-alertmanager",
                [
                    "--config.file=\(Committed.path("alertmanager.yml"))", "--storage.path=\(path("alerts"))",
                    "--web.listen-address=\(alertmanager)", "--cluster.listen-address=", "--log.level=warn",
                ]),
        ]
    }

    /// The committed configuration, with each job's targets in place of names that exist only in a compose network.
    static func configuration(_ targets: [String: String]) throws -> String {
        var text = try Committed.text("prometheus.yml")
            .replacing("_interval: 15s", with: "_interval: 1s")
            .replacing("rules/*.yml", with: Committed.path("rules/*.yml"))
        for (job, address) in targets {
            let job = "  - job_name: \(job)\n"
            guard let start = text.firstRange(of: job)?.upperBound else {
                throw TestSupportError("prometheus.yml has no\(job)")
            }
            let end = text[start...].firstRange(of: "\n  - job_name:")?.lowerBound ?? text.endIndex
            text.replaceSubrange(start..<end, with: "    static_configs: [{targets: ['\(address)']}]")
        }
        return text.replacing("alertmanager:9093", with: targets["alertmanager"] ?? "")
    }

    private func untilReady(_ processes: [ProcessUnderTest]) async throws {
        for server in [address, alertmanager] {
            try await awaitFact("Prometheus and Alertmanager") {
                try? await HTTPClient.shared.execute(
                    HTTPClientRequest(url: "http://\(server)/-/ready"), timeout: .seconds(5)
                ).status == .ok ? true : nil
            }
        }
    }

    // MARK: Asking

    private struct Answer<Content: Decodable>: Decodable {
        let status: String
        let error: String?
        let data: Content?
    }

    private struct Result: Decodable {
        let result: [Series]?
    }

    struct Series: Decodable {
        let metric: [String: String]
        /// The time and the text of a number.
        private let value: [Figure]

        private enum Figure: Decodable {
            case time(Double)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self =
                    if let time = try? container.decode(Double.self) {
                        .time(time)
                    } else {
                        .text(try container.decode(String.self))
                    }
            }
        }

        var number: Double? {
            guard case .text(let text) = value.last else { return nil }
            return Double(text)
        }
    }

    /// - Throws: `TestSupportError` with Prometheus's message if it cannot evaluate the query.
    func query(_ query: String) async throws -> [Series] {
        guard let encoded = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { return [] }
        let answer = try await ask("query?query=\(encoded)", Answer<Result>.self)
        guard answer.status == "success" else {
            throw TestSupportError("\(query): \(answer.error ?? "Prometheus does not say why")")
        }
        return answer.data?.result ?? []
    }

    struct Rule: Decodable {
        let type: String
        let name: String
        let query: String
        /// `ok`, unless the last evaluation failed.
        let health: String
        let lastError: String?
    }

    private struct Rules: Decodable {
        struct Group: Decodable { let rules: [Rule] }
        let groups: [Group]
    }

    func rules() async throws -> [Rule] {
        try await ask("rules", Answer<Rules>.self).data?.groups.flatMap(\.rules) ?? []
    }

    private func ask<Content: Decodable>(_ path: String, _ type: Content.Type) async throws -> Content {
        try JSONDecoder().decode(type, from: Data(try await Self.get("http://\(address)/api/v1/\(path)").utf8))
    }

    /// The names of the alerts that Alertmanager has received.
    func alerted() async throws -> [String] {
        struct Alert: Decodable { let labels: [String: String] }
        let text = try await Self.get("http://\(alertmanager)/api/v2/alerts")
        return try JSONDecoder().decode([Alert].self, from: Data(text.utf8)).compactMap { $0.labels["alertname"] }
    }

    static func get(_ url: String) async throws -> String {
        var request = HTTPClientRequest(url: url)
        // A hundred series that differ in one label compress better than the client permits.
        request.headers.add(name: "Accept-Encoding", value: "identity")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return String(buffer: try await response.body.collect(upTo: 8 << 20))
    }
}
