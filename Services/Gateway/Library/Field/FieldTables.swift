import Instants
import People
import Store
import WaterQuality

/// Samples as tables for other programs (RFC 4180).
enum FieldTables {
    /// What a line is of.
    enum Kind: String, CaseIterable, Sendable {
        /// A sample with its circumstances.
        case surveys
        /// A sample, one of its stations or one of its depths.
        case samples
        /// A value.
        case values
        /// A point of a track.
        case tracks
        /// A result, as WQX Web imports it.
        case wqx

        /// Whether a line needs the protocol.
        var needsProtocols: Bool { self == .values || self == .wqx }

        var columns: [String] {
            switch self {
            case .surveys:
                [
                    "survey", "device", "version", "state", "protocol", "protocol_version", "begun", "ended", "zone",
                    "utc_offset_minutes", "received", "changed", "flagged", "author", "surveyors", "latitude",
                    "longitude", "accuracy_m", "altitude_m", "position_source", "weather_now", "weather_before",
                    "air_temperature_c", "wind_beaufort", "cloud_percent", "rain_mm", "habitat", "comment", "review",
                    "review_note", "photos",
                ]
            case .samples: ["survey", "sample", "device", "begun", "station", "depth_m", "values"]
            case .values:
                [
                    "survey", "sample", "device", "begun", "field", "station", "depth_m", "value", "qualifier", "unit",
                    "lower", "upper", "parameter", "not_measured",
                ]
            case .tracks: ["survey", "segment", "time", "latitude", "longitude", "accuracy_m"]
            case .wqx: WQXColumn.allCases.map(\.rawValue)
            }
        }
    }

    /// Cells as they are written: what people wrote is guarded against formulas, numbers are as they are.
    static func lines(_ kind: Kind, of row: FieldRow, _ names: WQXNames) -> [[String]] {
        let (stored, sampling) = (row.stored, row.sampling)
        return switch kind {
        case .surveys: [survey(stored)]
        case .samples: samples(stored)
        case .values: (stored.sample.values + stored.means).map { value($0, of: stored, by: sampling) }
        case .tracks:
            stored.sample.track.segments.enumerated().flatMap { place, segment in
                segment.map { point in
                    let degrees = point.position.degrees
                    return [
                        "\(stored.id)", "\(place + 1)",
                        (stored.sample.begunAt + .seconds(Int64(point.seconds))).iso8601, "\(degrees.latitude)",
                        "\(degrees.longitude)", text(point.position.accuracy),
                    ]
                }
            }
        case .wqx:
            row.results(names).map { line in
                WQXColumn.allCases.map { $0.isNumber ? line[$0] : CSV.cell(line[$0]) }
            }
        }
    }

    private static func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "" }

    private static func survey(_ stored: StoredFieldSample) -> [String] {
        let (sample, place, weather) = (stored.sample, stored.sample.place, stored.sample.weather)
        let circumstances = [
            "\(stored.id)", CSV.cell(stored.hardwareID), "\(stored.version)", sample.state.rawValue, sample.protocolID,
            "\(sample.protocolVersion)", sample.begunAt.iso8601, sample.endedAt?.iso8601 ?? "", CSV.cell(sample.zone),
            "\(sample.utcOffset)", stored.receivedAt.iso8601, stored.changedAt.iso8601, stored.isFlagged ? "1" : "0",
            CSV.cell(stored.author?.name ?? ""), CSV.cell(sample.surveyors.joined(separator: "; ")),
        ]
        let position = [
            text(place?.latitude), text(place?.longitude), text(place?.accuracy), text(place?.altitude),
            place?.source.rawValue ?? "",
        ]
        let sky = [
            weather?.now?.rawValue ?? "", weather?.before?.rawValue ?? "", text(weather?.airTemperature),
            text(weather?.wind), text(weather?.cloud), text(weather?.rain),
        ]
        let words = [
            CSV.cell(sample.habitat ?? ""), CSV.cell(sample.comment ?? ""), stored.review?.verdict.rawValue ?? "",
            CSV.cell(stored.review?.note ?? ""), stored.photos.map(\.id.description).joined(separator: " "),
        ]
        return circumstances + position + sky + words
    }

    /// The name of what a value is of: the sample, one of its stations, or one of its depths.
    private static func name(_ value: FieldValue, of stored: StoredFieldSample) -> String {
        "\(stored.id)" + (value.station.map { "/\($0)" } ?? "") + (value.depth.map { "@\($0)" } ?? "")
    }

    private static func samples(_ stored: StoredFieldSample) -> [[String]] {
        var names: [String] = []
        var found: [String: (value: FieldValue, count: Int)] = [:]
        for value in stored.sample.values {
            let name = name(value, of: stored)
            if found[name] == nil { names.append(name) }
            found[name, default: (value, 0)].count += 1
        }
        return names.compactMap { name in
            found[name].map { value, count in
                [
                    "\(stored.id)", CSV.cell(name), CSV.cell(stored.hardwareID), stored.sample.begunAt.iso8601,
                    CSV.cell(value.station ?? ""),
                    text(value.depth), "\(count)",
                ]
            }
        }
    }

    private static func value(
        _ value: FieldValue, of stored: StoredFieldSample, by sampling: FieldProtocol?
    ) -> [String] {
        let field = sampling?.field(value.field)
        var (shown, qualifier, lower, upper, reason) = ("", "", "", "", "")
        switch value.content {
        case .number(let number): shown = "\(number)"
        case .below(let number): (shown, qualifier) = ("\(number)", "<")
        case .above(let number): (shown, qualifier) = ("\(number)", ">")
        case .choice(let id):
            let choice = field?.choices.first { $0.id == id }
            (shown, lower, upper) = (CSV.cell(id), text(choice?.from), text(choice?.to))
        case .count(let counted): shown = CSV.cell(counted.map { "\($0.id)=\($0.count)" }.joined(separator: "; "))
        case .text(let words): shown = CSV.cell(words)
        case .flag(let flag): shown = flag ? "1" : "0"
        case .notMeasured(let why): reason = CSV.cell(why)
        }
        return [
            "\(stored.id)", CSV.cell(name(value, of: stored)), CSV.cell(stored.hardwareID),
            stored.sample.begunAt.iso8601,
            CSV.cell(value.field), CSV.cell(value.station ?? ""), text(value.depth), shown, qualifier,
            CSV.cell(field?.unit ?? ""), lower, upper,
            field?.parameter?.name ?? "", reason,
        ]
    }
}
