/// The router's and the document's view of an input, whatever its type.
package protocol InputDeclaration: Sendable {
    var place: FieldFault.Place { get }
    var name: String { get }
    /// The description in the document.
    var text: String { get }
    var schema: Schema { get }
    var isRequired: Bool { get }
    /// Reads and checks the value.
    func read(from request: RequestParts) throws(Fault) -> any Sendable
}

/// One input of a route. The same value declares and reads it: `let name = inputs[Self.name]` is typed.
package struct Input<Value: Sendable>: InputDeclaration {
    package let place: FieldFault.Place
    package let name: String
    package let text: String
    package let schema: Schema
    package let isRequired: Bool
    private let reader: @Sendable (RequestParts) throws(Fault) -> Value

    init(
        _ place: FieldFault.Place, _ name: String, _ text: String, schema: Schema, isRequired: Bool,
        reader: @escaping @Sendable (RequestParts) throws(Fault) -> Value
    ) {
        self.place = place
        self.name = name
        self.text = text
        self.schema = schema
        self.isRequired = isRequired
        self.reader = reader
    }

    package func read(from request: RequestParts) throws(Fault) -> any Sendable {
        Box(value: try reader(request))
    }

    /// Wraps the value, because optionals lose a level when they are cast from `any Sendable`.
    struct Box: Sendable {
        let value: Value
    }
}

/// The inputs of one request, read and checked.
package struct Inputs: Sendable {
    private let values: [String: any Sendable]

    init(_ values: [String: any Sendable]) {
        self.values = values
    }

    static func key(_ input: some InputDeclaration) -> String { input.place.rawValue + " " + input.name }

    /// The value of an input that the route declares. Asking for another input is a programmer's error.
    package subscript<Value>(input: Input<Value>) -> Value {
        guard let box = values[Self.key(input)] as? Input<Value>.Box else {
            preconditionFailure("The route does not declare the input \(input.name).")
        }
        return box.value
    }
}

/// A PATCH's change of one member.
package enum Change<Value: Sendable>: Sendable {
    /// The member was missing.
    case unchanged
    /// The member was null.
    case clear
    case set(Value)

    /// The value after the change.
    package func applied(to old: Value?) -> Value? {
        switch self {
        case .unchanged: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

extension Change: Equatable where Value: Equatable {}
