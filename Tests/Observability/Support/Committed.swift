import Foundation
import TestSupport

/// The content of `deploy/observability`.
enum Committed {
    static let directory = Paths.repository.appending(path: "deploy/observability")

    static func path(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }

    static func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    static func dashboards() throws -> [Dashboard] {
        try FileManager.default.contentsOfDirectory(atPath: path("grafana/dashboards")).sorted().map { name in
            try JSONDecoder().decode(Dashboard.self, from: Data(text("grafana/dashboards/\(name)").utf8))
        }
    }
}

/// The members of a dashboard's JSON that Grafana needs; one that is missing here fails to decode.
struct Dashboard: Decodable {
    struct Source: Decodable, Equatable {
        let type: String
        let uid: String
    }

    struct Position: Decodable {
        let x: Int
        let y: Int
        let w: Int
        let h: Int
    }

    struct Target: Decodable {
        let refId: String
        let datasource: Source
        let expr: String
        let legendFormat: String
    }

    struct Panel: Decodable {
        let id: Int
        let type: String
        let title: String
        let gridPos: Position
        let description: String?
        let datasource: Source?
        let targets: [Target]?
        let fieldConfig: FieldConfiguration?
    }

    struct FieldConfiguration: Decodable {
        struct Defaults: Decodable { let unit: String? }
        let defaults: Defaults
    }

    let uid: String
    let title: String
    let schemaVersion: Int
    let editable: Bool
    let panels: [Panel]
}
