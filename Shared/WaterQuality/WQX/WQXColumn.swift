/// A column of the EPA's template for physical and chemical results, as WQX Web imports it, in the template's order; at the end the columns of an activity's own
/// place, which the template takes as additional ones.
package enum WQXColumn: String, CaseIterable, Sendable {
    case project = "Project ID"
    case monitoringLocation = "Monitoring Location ID"
    case activity = "Activity ID User Supplied (PARENTs)"
    case activityType = "Activity Type"
    case media = "Activity Media Name"
    case startDate = "Activity Start Date"
    case startTime = "Activity Start Time"
    case timeZone = "Activity Start Time Zone"
    case depth = "Activity Depth/Height Measure"
    case depthUnit = "Activity Depth/Height Unit"
    case activityComment = "Activity Comment"
    case characteristic = "Characteristic Name"
    case speciation = "Method Speciation"
    case detectionCondition = "Result Detection Condition"
    case value = "Result Value"
    case unit = "Result Unit"
    case fraction = "Result Sample Fraction"
    case status = "Result Status ID"
    case temperatureBasis = "Result Temperature Basis"
    case valueType = "Result Value Type"
    case method = "Result Analytical Method ID"
    case methodContext = "Result Analytical Method Context"
    case limitType = "Result Detection/Quantitation Limit Type"
    case limit = "Result Detection/Quantitation Limit Measure"
    case limitUnit = "Result Detection/Quantitation Limit Unit"
    case resultComment = "Result Comment"
    case latitude = "Activity Latitude"
    case longitude = "Activity Longitude"
    case horizontalMethod = "Activity Horizontal Collection Method"
    case horizontalDatum = "Activity Horizontal Coordinate Reference System Datum"

    /// Required of each line. A value or a detection condition is required beside them, and a unit and a value type of each value.
    static let required: [WQXColumn] = [
        .project, .monitoringLocation, .activity, .activityType, .media, .startDate, .startTime, .timeZone,
        .characteristic,
        .status, .latitude, .longitude, .horizontalMethod, .horizontalDatum,
    ]

    /// Whether its cells are numbers, which may be negative.
    package var isNumber: Bool {
        switch self {
        case .depth, .value, .limit, .latitude, .longitude: true
        default: false
        }
    }

    /// Most characters.
    var longest: Int? {
        switch self {
        case .project, .monitoringLocation, .activity, .method: 35
        case .activityComment, .resultComment: 4000
        default: nil
        }
    }
}

/// A line of the table, with what it lacks.
package struct WQXLine: Hashable, Sendable {
    package internal(set) var cells: [WQXColumn: String]
    /// The field of the sample that it is of; `nil`: of none.
    package var field: String?

    package subscript(column: WQXColumn) -> String { cells[column] ?? "" }

    /// Why WQX would not take the line, by the elements in the template's order; empty: it would.
    package var faults: [WQXFault] {
        WQXColumn.allCases.compactMap { column in
            let text = self[column]
            if let longest = column.longest, text.unicodeScalars.count > longest {
                return WQXFault(element: column, reason: .tooLong)
            }
            return text.isEmpty && requires(column) ? WQXFault(element: column, reason: .missing) : nil
        }
    }

    private func requires(_ column: WQXColumn) -> Bool {
        switch column {
        case .value: self[.detectionCondition].isEmpty
        case .unit, .valueType: !self[.value].isEmpty
        case .limitType, .limitUnit: !self[.limit].isEmpty
        case .limit: !self[.detectionCondition].isEmpty
        case .depthUnit: !self[.depth].isEmpty
        case .methodContext: !self[.method].isEmpty
        default: WQXColumn.required.contains(column)
        }
    }
}

package struct WQXFault: Hashable, Sendable {
    package enum Reason: String, Sendable {
        case missing, tooLong
    }

    package let element: WQXColumn
    package let reason: Reason
}
