import Routes
import WaterQuality

/// A step of a chain as a request names it: after how many minutes which person, or which of the caller's endpoints, is told.
struct ChainStepInput: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        /// Another person, by their ownership of the device.
        case person(Int64)
        case endpoint(Endpoint.ID)

        /// Its part of a chain's entity tag.
        var tag: String {
            switch self {
            case .person(let id): "p\(id)"
            case .endpoint(let id): "e\(id.rawValue)"
            }
        }
    }

    var after: Int
    var target: Target

    /// The most steps of a chain.
    static let most = 8
    static let minutes = 1...240
}

extension Format where Value == ChainStepInput {
    /// An object: after, and either person or endpoint.
    static let chainStep = Format(
        schema: Schema(
            [
                "type": "object",
                "properties": [
                    "after": minutes.schema.json, "person": Format<Int64>.ownershipID.schema.json,
                    "endpoint": endpoint.schema.json,
                ],
                "required": ["after"], "minProperties": 2, "maxProperties": 2, "additionalProperties": false,
            ], example: ["after": 10, "person": "42"]),
        readText: { _ throws(Fault) in throw .notStep },
        readJSON: { json throws(Fault) in
            guard case .object(let members) = json else { throw .notStep }
            var after: Int?
            var target: ChainStepInput.Target?
            for member in members {
                do throws(Fault) {
                    switch (member.name, target) {
                    case ("after", _): after = try minutes.readJSON(member.value)
                    case ("person", nil): target = .person(try Format<Int64>.ownershipID.readJSON(member.value))
                    case ("endpoint", nil):
                        target = .endpoint(Endpoint.ID(rawValue: Int64(try endpoint.readJSON(member.value))))
                    default: throw .notStep
                    }
                } catch {
                    throw error.inside(member.name)
                }
            }
            guard let after, let target else { throw .notStep }
            return ChainStepInput(after: after, target: target)
        })

    private static let minutes = Format<Int>.integer(ChainStepInput.minutes).example(10)
    private static let endpoint = Format<Int>.integer(1...Int(Int64.max)).example(7)
}

extension Fault {
    fileprivate static let notStep = Fault("not-a-step")
    static let unordered = Fault("unordered")
    static let twice = Fault("twice")
    static let notAmongPeople = Fault("not-among-people")
    static let notAmongEndpoints = Fault("not-among-endpoints")
}
