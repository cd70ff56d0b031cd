import Backoff
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PublicHTTP
import PushTargets
import Routes
import ServiceKit
import Words

/// Answers every request: finds its route, admits it, identifies the caller, reads the body and runs the route; an
/// error on the way becomes a problem document.
struct RequestHandler: HTTPResponder {
    typealias Context = ConnectionContext

    let directory: Directory
    let services: GatewayServices
    let admission: Admission
    let idempotency: Idempotency
    let responses: Responses
    let proxies: TrustedProxies
    let metrics: GatewayMetrics

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let began = ContinuousClock.now
        metrics.running.add(1)
        let peer = context.channel.remoteAddress.flatMap(IPAddress.init(socketAddress:))
        let exchange = Exchange(request.head, peer: peer, proxies: proxies)
        let found = directory.find(exchange)
        let (answer, failure) = await attempt(request, exchange, found)
        let record = Record(
            exchange: exchange, route: found.id ?? GatewayMetrics.noRoute, status: answer.status.code, began: began)
        if let failure { record.log(failure, services.logger) }
        metrics.answered(record.route, status: record.status, after: began.duration(to: .now))
        let isStreamed = if case .stream = answer.body { request.method != .head } else { false }
        if !isStreamed { end(record, nil) }
        return responses.response(answer, to: request.head, id: exchange.id, on: context.channel) { end(record, $0) }
    }

    private func end(_ record: Record, _ failure: (any Error)?) {
        metrics.running.add(-1)
        record.log(brokenBy: failure, services.logger)
    }

    /// - Returns: The answer, and the error behind one that the client can do nothing about.
    private func attempt(
        _ request: Request, _ exchange: Exchange, _ found: Directory.Found
    ) async -> (RawAnswer, (any Error)?) {
        let call = Call(exchange)
        do {
            return (try await serve(request, call, found), nil)
        } catch {
            let problem = Problem(of: error)
            let isOurs = problem.type.status.kind == .serverError && !(error is Problem)
            var answer = problem.answer(call.language, id: exchange.id)
            // The connection is closed: the rest of an oversized body is not read either.
            if problem.type == .tooLarge { answer.headers[.connection] = "close" }
            if problem.type == .unauthenticated, case .route(let route)? = found.action, route.takesPassword {
                answer.headers.append(Credential.passwordChallenge)
            }
            answer.headers.append(contentsOf: call.limits.filter { answer.headers[$0.name] == nil })
            return (answer, isOurs ? error : nil)
        }
    }

    private func serve(_ request: Request, _ call: Call, _ found: Directory.Found) async throws -> RawAnswer {
        // Files are sent without limits: they are in memory, so that sending one costs no more than refusing it, and
        // opening the app asks for a hundred.
        if case .file(let file) = found { return file.answer(to: call.exchange.request) }
        let rate = found.action?.rate ?? .ordinary
        call.admit(try admission.admit(call.exchange.address, rate))
        switch found {
        case .nothing, .file: throw Problem(.notFound)
        case .otherMethods(let allowed):
            guard request.method == .options else { throw Problem(.methodNotAllowed, headers: [.allow: allowed]) }
            return RawAnswer(status: .noContent, headers: [.allow: allowed])
        case .action(.page(let page), let path):
            guard let answer = page.answer(call.language, path) else { throw Problem(.notFound) }
            return answer
        case .action(.route(let route), let path):
            let acting = try Acting(route, call.exchange.request.headerFields)
            let credential = try await services.credential(call.exchange.request.headerFields, for: route)
            if credential != .nobody { call.admit(try admission.admit(credential, rate)) }
            let scope = Scope(
                services: services, requestID: call.exchange.id, address: call.exchange.address,
                client: Caller.userAgent(call.exchange.request.headerFields), credential: credential,
                access: route.access, acting: acting, wished: call.exchange.wished)
            call.enter(scope)
            let place = try await place(for: route, scope)
            defer { withExtendedLifetime(place) {} }
            let body =
                route.method == .get
                ? [] : try await request.wholeBody(most: route.largestBody ?? PeopleServer.largestBody)
            let raw = RawRequest(
                path: path, query: call.exchange.query, headers: call.exchange.request.headerFields, body: body)
            var answer: RawAnswer
            do {
                answer = try await run(route, raw, scope)
            } catch let problem as Problem {
                await scope.noteRefusal(of: route, by: problem)
                throw problem
            }
            answer.headers.append(contentsOf: call.limits)
            return answer
        }
    }

    /// A place for a body that may be larger than others'. Only people have one, who are asked of the database before anything is read.
    private func place(for route: Route<Caller>, _ scope: Scope) async throws -> PersonPlaces.Place? {
        guard route.largestBody ?? 0 > PeopleServer.largestBody else { return nil }
        let account = try await scope.person()
        do {
            return try services.largeBodies.begin(account)
        } catch PersonPlaces.Refusal.person {
            throw Problem(.tooManyRequests, retryAfter: .seconds(2))
        } catch PersonPlaces.Refusal.all {
            throw Problem(.unavailable, retryAfter: .seconds(5))
        }
    }

    private func run(_ route: Route<Caller>, _ request: RawRequest, _ scope: Scope) async throws -> RawAnswer {
        try await withTimeout(services.settings.patience) {
            try await scope.requireProof()
            do {
                return try await idempotency.once(route, request, scope) { scope in
                    try await route.respond(
                        to: request,
                        Caller(scope: scope, headers: request.headers, query: request.query, body: request.body))
                }
            } catch {
                guard route.problems.contains(.viewersOnlyLook), Refusal(error) != nil,
                    try await scope.onlyLooks(request.path["device"])
                else {
                    throw error
                }
                throw Problem(.viewersOnlyLook)
            }
        }
    }
}

/// State of a request that becomes known on its way.
private final class Call {
    let exchange: Exchange
    private(set) var limits: HTTPFields = [:]
    private var scope: Scope?

    init(_ exchange: Exchange) { self.exchange = exchange }

    /// The language of the answer.
    var language: Language { scope?.language ?? exchange.wished ?? .en }

    func admit(_ headers: HTTPFields) {
        // The caller's own bucket tells more than the address'.
        limits = headers.isEmpty ? limits : headers
    }

    func enter(_ scope: Scope) { self.scope = scope }
}
