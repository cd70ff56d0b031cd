import HTTPTypes
import Routes
import SensorThings

extension Problem {
    /// What a client is told of a fault in its path or its query: the member `reason` is for programs, `subject` and `at` say what is meant.
    init(_ fault: SensorThingsFault) {
        var parameters: [JSON.Member] = [.init("reason", .string(fault.code))]
        if !fault.subject.isEmpty { parameters.append(.init("subject", .string(fault.subject))) }
        if let at = fault.at { parameters.append(.init("at", .integer(Int64(at)))) }
        switch fault.kind {
        case .notFound: self.init(.notFound)
        case .malformed: self.init(.sensorThingsQuery, parameters: parameters)
        case .unsupported: self.init(.sensorThingsUnsupported, parameters: parameters)
        }
    }
}

extension ProblemType {
    static let sensorThingsQuery = ProblemType("sensorthings-query", .badRequest)
    static let sensorThingsUnsupported = ProblemType("sensorthings-unsupported", .notImplemented)
}
