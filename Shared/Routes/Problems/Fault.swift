package import Words

/// The fault of one input: a code for programs, which names the text for people, and its parameters.
package struct Fault: Error, Hashable, Sendable {
    /// The stable code that programs compare.
    package let code: String
    /// The bound that was broken, and the like. Never the value itself, which could be a password.
    package let parameters: [JSON.Member]
    /// The place inside the input, as a JSON pointer: `/0/name`; empty for the input itself.
    package let path: String

    /// - Parameter code: Lower case, words joined by hyphens; the text is `fault.<code>` in each language.
    package init(_ code: String, parameters: [JSON.Member] = [], path: String = "") {
        self.code = code
        self.parameters = parameters
        self.path = path
    }

    /// The text for people, with the parameters in its places.
    package func text(in language: Language) -> String {
        language.text("fault.\(code)", values: parameters.text)
    }

    /// The same fault, as one of a part of a larger value.
    package func inside(_ part: String) -> Fault {
        Fault(code, parameters: parameters, path: "/" + JSON.pointerToken(part) + path)
    }
}

/// A fault together with its input.
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

    /// The fault as `{"pointer": "/name", "code": ..., "detail": ..., "params": {...}}`; `parameter` and `in` name an
    /// input outside the body.
    func json(_ language: Language) -> JSON {
        var members: [JSON.Member] =
            switch place {
            case .body: [.init("pointer", .string("/" + JSON.pointerToken(name) + fault.path))]
            default: [.init("parameter", .string(name)), .init("in", .string(place.rawValue))]
            }
        members.append(.init("code", .string(fault.code)))
        members.append(.init("detail", .string(fault.text(in: language))))
        if !fault.parameters.isEmpty { members.append(.init("params", .object(fault.parameters))) }
        return .object(members)
    }
}

extension JSON {
    /// A name as one step of a JSON pointer (RFC 6901).
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

extension [JSON.Member] {
    /// The value of a name, as text.
    func text(_ name: Substring) -> String? {
        first { $0.name == name }.map { $0.value.string ?? $0.value.text }
    }
}
