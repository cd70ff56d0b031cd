package import HTTPTypes

/// The credentials that a route accepts.
package enum Access: String, Hashable, Sendable {
    case anyone
    /// A session, or any personal token.
    case read
    /// A session, or a personal token that may write.
    case write
    /// A session, or any personal token: samples of the field, and what belongs to them.
    case readSamples
    /// A session, or a personal token that may read samples, or everything: those that others sent. A token that only writes samples sees none of them.
    case receiveSamples
    /// A session, or a personal token that may write samples, or everything.
    case writeSamples
    /// A session only: no personal token, whatever its scope.
    case session
    /// A session in which the person gave their password within the last minutes. Routes need it whose effect outlives
    /// the credential, such as a new address for alerts: it would have to be taken from a thief by hand.
    case fresh

    /// Whether personal tokens are refused, whatever their scope.
    package var takesSession: Bool { self == .session || self == .fresh }

    /// Whether the route may change anything.
    package var mayMake: Bool { self == .write || self == .writeSamples || takesSession }
}

/// The budget of requests that a route draws from.
package enum RateClass: String, CaseIterable, Hashable, Sendable {
    case ordinary
    /// Expensive answers: series, exports.
    case heavy
    /// Guessable secrets: passwords, claim codes, invitations.
    case credentials
    /// Opening a long-lived stream.
    case stream
    /// Calendar programs, which ask by themselves.
    case feed
    /// Pictures of a map, of which a screen shows dozens and a saved area has thousands.
    case tiles
}

/// Turns a handler's answer into the one that is sent.
package typealias AnswerEncoding<Value: Sendable> = @Sendable (Answer<Value>) -> RawAnswer

/// How a route reads the body of a request.
enum BodyKind: Sendable {
    case json
    /// As HTML forms are sent: `a=1&b=two+words`.
    case form
    /// Not at all, whatever it is.
    case ignored
    /// As it is, by the handler.
    case file(FileBody)

    /// The media types that are taken; the first one where a request has to name one.
    var mediaTypes: [String] {
        switch self {
        case .json, .ignored: ["application/json"]
        case .form: ["application/x-www-form-urlencoded"]
        case .file(let file): file.mediaTypes
        }
    }

    var isForm: Bool { if case .form = self { true } else { false } }
}

/// A body that is a file.
package struct FileBody: Sendable {
    let mediaTypes: [String]
    /// The most bytes.
    let most: Int
    /// The problem of another media type.
    let refusal: ProblemType

    package init(_ mediaTypes: [String], most: Int, refusal: ProblemType) {
        precondition(!mediaTypes.isEmpty, "A file has a media type.")
        self.mediaTypes = mediaTypes
        self.most = most
        self.refusal = refusal
    }
}

/// A route, declared once: the router, the decoder, the document and the page derive from it.
///
/// `Caller` is the service's type for who calls.
package struct Route<Caller: Sendable>: Sendable {
    package let method: HTTPRequest.Method
    package let path: RoutePath
    /// The `operationId`; also the label in logs and metrics.
    package let id: String
    package let tag: String
    package let access: Access
    package let summary: String
    package let text: String
    package private(set) var inputs: [any InputDeclaration]
    package let reply: ReplyDescription
    /// The route's own problems; `allProblems` adds those that follow from the rest of the declaration.
    package private(set) var problems: [ProblemType]
    package let limit: RateClass
    private(set) var body = BodyKind.json
    /// Whether the query may have parameters that are no inputs, which are left aside.
    private(set) var takesAnyQuery = false
    /// The problem of faulty inputs.
    package private(set) var faultType = ProblemType.invalidInput
    /// Whether a personal token may come as a password (RFC 7617), for programs and browsers that know of nothing else.
    package private(set) var takesPassword = false
    private var mostBytes: Int?
    private let run: @Sendable (Caller, Inputs) async throws -> RawAnswer

    /// - Parameters:
    ///   - path: Relative to the API's base, parameters in braces: `/devices/{device}`.
    ///   - summary: A few words in the imperative.
    ///   - handle: Gets inputs that have been read and checked.
    package init<Value>(
        _ method: HTTPRequest.Method, _ path: RoutePath, id: String, tag: String, access: Access, _ summary: String,
        text: String = "", inputs: [any InputDeclaration] = [], answers reply: Reply<Value>,
        problems: [ProblemType] = [], limit: RateClass = .ordinary,
        handle: @escaping @Sendable (Caller, Inputs) async throws -> Answer<Value>
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.tag = tag
        self.access = access
        self.summary = summary
        self.text = text
        self.inputs = inputs
        self.reply = reply.description
        self.problems = problems
        self.limit = limit
        run = { caller, inputs in RawAnswer(try await handle(caller, inputs), reply) }
        checkDeclaration()
    }

    /// A route whose handler stores its answer with what it creates, so it also gets the encoding of the answer.
    package init<Value>(
        _ method: HTTPRequest.Method, _ path: RoutePath, id: String, tag: String, access: Access, _ summary: String,
        text: String = "", inputs: [any InputDeclaration] = [], answers reply: Reply<Value>,
        problems: [ProblemType] = [], limit: RateClass = .ordinary,
        creates handle: @escaping @Sendable (Caller, Inputs, AnswerEncoding<Value>) async throws -> Answer<Value>
    ) {
        self.init(
            method, path, id: id, tag: tag, access: access, summary, text: text, inputs: inputs, answers: reply,
            problems: problems, limit: limit,
            handle: { caller, inputs in try await handle(caller, inputs) { RawAnswer($0, reply) } })
    }

    /// The same route for clients whose body is none of the API's choice.
    package func ignoringBody() -> Route {
        var route = self
        route.body = .ignored
        return route
    }

    /// The same route for clients that send forms, whose further fields are left aside.
    package func takingForm() -> Route {
        var route = self
        route.body = .form
        return route
    }

    /// The same route for clients that add parameters of their own to the query.
    package func takingAnyQuery() -> Route {
        var route = self
        route.takesAnyQuery = true
        return route
    }

    /// The same route for a standard that has a status of its own for faulty inputs.
    package func refusingFaults(as type: ProblemType) -> Route {
        var route = taking(problems: [type])
        route.faultType = type
        return route
    }

    /// The same route for programs and browsers that ask people for a name and a password, which is then a personal token.
    package func takingTokenAsPassword() -> Route {
        precondition(access == .read, "\(id): what comes with every request of a browser may only read.")
        var route = self
        route.takesPassword = true
        return route
    }

    /// The same route for clients that send a file, which the handler reads.
    package func taking(_ file: FileBody) -> Route {
        precondition(!inputs.contains { $0.place == .body }, "\(id): a file has no fields.")
        var route = self
        route.body = .file(file)
        return route
    }

    /// The same route with an input that the service reads and the handler does not, and with the problems that follow from it.
    package func taking(_ inputs: [any InputDeclaration] = [], problems: [ProblemType]) -> Route {
        var route = self
        route.inputs += inputs
        route.problems += problems.filter { !self.problems.contains($0) }
        route.checkDeclaration()
        return route
    }

    /// The same route for bodies that may have so many bytes, whatever the service takes elsewhere.
    package func takingUpTo(_ most: Int) -> Route {
        var route = self
        route.mostBytes = most
        return route
    }

    /// The most bytes of a body, where the route takes a file, or more than others do.
    package var largestBody: Int? { if case .file(let file) = body { file.most } else { mostBytes } }

    /// Reads and checks all inputs, then runs the handler.
    /// - Throws: `Problem` for faulty inputs, and whatever the handler throws.
    package func respond(to request: RawRequest, _ caller: Caller) async throws -> RawAnswer {
        try await run(caller, try readInputs(of: request))
    }

    /// Checks that the declaration does not contradict itself; a contradiction is a programmer's error, found when the
    /// service starts.
    private func checkDeclaration() {
        let names = inputs.filter { $0.place == .path }.map(\.name)
        precondition(names.sorted() == path.parameters.sorted(), "\(id): the path and its inputs differ.")
        precondition(
            Set(inputs.map { "\($0.place) \($0.name)" }).count == inputs.count, "\(id): two inputs have one name.")
        precondition(
            !reply.isStream || method == .get, "\(id): only GET answers with a stream.")
        precondition(
            ![.get, .head].contains(method) || !inputs.contains { $0.place == .body }, "\(id): \(method) has a body.")
    }
}

extension RawAnswer {
    fileprivate init<Value>(_ answer: Answer<Value>, _ reply: Reply<Value>) {
        var headers = answer.headers
        let status = answer.status ?? reply.description.status
        switch answer.content {
        case .nothing:
            self.init(status: status, headers: headers)
        case .value(let value):
            guard let body = reply.body(value) else {
                self.init(status: status, headers: headers)
                return
            }
            if headers[.contentType] == nil { headers[.contentType] = reply.description.mediaType }
            self.init(status: status, headers: headers, body: .bytes(body))
        case .stream(let write):
            if headers[.contentType] == nil { headers[.contentType] = reply.description.mediaType }
            self.init(status: status, headers: headers, body: .stream(write))
        }
    }
}
