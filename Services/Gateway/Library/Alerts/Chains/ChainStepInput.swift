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
    static let chainStep = object(
        [after, person, endpoint], required: ["after"],
        keywords: [.init("minProperties", 2), .init("maxProperties", 2)], example: ["after": 10, "person": "42"],
        or: .notStep
    ) { members throws(Fault) in
        guard let minutes = try members[after] else { return nil }
        switch try (members[person], members[endpoint]) {
        case (let id?, nil): return ChainStepInput(after: minutes, target: .person(id))
        case (nil, let id?):
            return ChainStepInput(after: minutes, target: .endpoint(Endpoint.ID(rawValue: Int64(id))))
        default: return nil
        }
    }

    private static let after = ObjectMember("after", Format<Int>.integer(ChainStepInput.minutes).example(10))
    private static let person = ObjectMember("person", Format<Int64>.ownershipID)
    private static let endpoint = ObjectMember("endpoint", Format<Int>.integer(1...Int(Int64.max)).example(7))
}

extension Fault {
    fileprivate static let notStep = Fault("not-a-step")
    static let unordered = Fault("unordered")
    static let twice = Fault("twice")
    static let notAmongPeople = Fault("not-among-people")
    static let notAmongEndpoints = Fault("not-among-endpoints")
}
