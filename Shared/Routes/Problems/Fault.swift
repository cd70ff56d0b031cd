/// What is wrong with one input: a code for programs, parameters, and a text for people.
package struct Fault: Error, Hashable, Sendable {
    /// Stable; programs compare it.
    package let code: String
    /// The bound that was broken, and the like. Never the value itself: it could be a password.
    package let parameters: [JSON.Member]
    /// The parameters stand in it by name, in braces.
    package let text: Localised
    /// Where inside the input, as a JSON pointer: `/0/name`; empty for the input itself.
    package let path: String

    /// - Parameter code: lower case, words joined by hyphens.
    package init(_ code: String, _ text: Localised, parameters: [JSON.Member] = [], path: String = "") {
        self.code = code
        self.text = text
        self.parameters = parameters
        self.path = path
    }

    /// The same fault of a part of a larger value.
    func inside(_ part: String) -> Fault {
        Fault(code, text, parameters: parameters, path: "/" + JSON.pointerToken(part) + path)
    }
}

/// A fault together with the input that has it.
package struct FieldFault: Error, Hashable, Sendable {
    package enum Place: String, Hashable, Sendable {
        case path, query, header, body
    }

    package let place: Place
    package let name: String
    package let fault: Fault

    package init(_ place: Place, _ name: String, _ fault: Fault) {
        self.place = place
        self.name = name
        self.fault = fault
    }

    package init(_ input: some InputDeclaration, _ fault: Fault) {
        self.init(input.place, input.name, fault)
    }

    /// `{"pointer": "/name", "code": ..., "detail": ..., "params": {...}}`; an input outside the body is named by
    /// `parameter` and `in`.
    func json(_ tongue: Tongue) -> JSON {
        var members: [JSON.Member] =
            switch place {
            case .body: [.init("pointer", .string("/" + JSON.pointerToken(name) + fault.path))]
            default: [.init("parameter", .string(name)), .init("in", .string(place.rawValue))]
            }
        members.append(.init("code", .string(fault.code)))
        members.append(.init("detail", .string(fault.text(tongue, fault.parameters))))
        if !fault.parameters.isEmpty { members.append(.init("params", .object(fault.parameters))) }
        return .object(members)
    }
}

extension JSON {
    /// One step of a JSON pointer (RFC 6901).
    static func pointerToken(_ name: String) -> String {
        var token = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return token
    }
}
