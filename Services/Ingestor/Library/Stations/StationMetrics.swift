import ServiceKit
import Stations

/// The metrics of others' stations.
struct StationMetrics: Sendable {
    /// The outcome of a question, as a label.
    enum Outcome: String, MetricLabel {
        static let labelName = "outcome"

        case values
        /// Nothing new since the last question.
        case unchanged
        case unreachable, notPermitted, notAllowed, notFound, refused, busy, broken, tooLarge, unreadable, noSeries,
            notStored

        init(_ fault: StationFault) {
            self =
                switch fault {
                case .unreachable: .unreachable
                case .notPermitted: .notPermitted
                case .notAllowed: .notAllowed
                case .notFound: .notFound
                case .refused: .refused
                case .busy: .busy
                case .broken: .broken
                case .tooLarge: .tooLarge
                case .unreadable: .unreadable
                case .noSeries: .noSeries
                case .notStored: .notStored
                }
        }
    }

    let questions: Labelled<Outcome, Counter>
    let skipped: Counter

    init(_ registry: MetricsRegistry) {
        questions = registry.counter(
            "aqua_stations_questions_total", "Questions to others' stations, by what came of them.", by: Outcome.self)
        skipped = registry.counter(
            "aqua_stations_skipped_values_total",
            "Values of others' stations that are none: missing, or beyond their unit.")
    }
}
