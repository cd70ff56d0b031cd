import Backoff
import HTTPTypes
import Hummingbird
import Instants
import Logging
import MQTT
import NIOCore
import Postgres
import PublicHTTP
import PushTargets
import Routes
import ServiceKit
import WaterQuality
import Words

/// Answers each request of a device: applies the limits, checks the key, reads the body, and hands the readings to the lane.
struct DeviceRequestHandler: HTTPResponder {
    typealias Context = ConnectionContext

    let keys: DeviceKeyring
    let intake: Intake
    let proxies: TrustedProxies
    let settings: DeviceHTTPSettings
    let metrics: DeviceHTTPMetrics
    /// The clock by which readings are judged, so that a device that sets its own clock by it is right.
    let clock: WallClock
    let logger: Logger
    private let running: RunningRequests
    private let addresses: RateLimiter<IPNetwork>
    private let devices: RateLimiter<Device.HardwareID>

    init(
        keys: DeviceKeyring, intake: Intake, _ configuration: DeviceHTTPConfiguration, metrics: DeviceHTTPMetrics,
        clock: WallClock, logger: Logger
    ) {
        self.keys = keys
        self.intake = intake
        self.metrics = metrics
        proxies = configuration.proxies
        settings = configuration.settings
        self.clock = clock
        self.logger = logger
        running = RunningRequests(most: settings.mostRunning, mostOfDevice: settings.mostRunningPerDevice)
        addresses = RateLimiter(settings.addressRate)
        devices = RateLimiter(settings.deviceRate)
    }

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let began = ContinuousClock.now
        let peer = context.channel.remoteAddress.flatMap(IPAddress.init(socketAddress:))
        let origin = RequestOrigin(request.headers, peer: peer, proxies: proxies)
        var response: Response
        do {
            response = try await answer(request, origin)
        } catch {
            let problem = Problem(ofDevice: error)
            if problem.type == .internalError { log(error, origin) }
            response = Self.response(
                problem.type.status, problem.fields(.en), problem.json(.en, requestID: origin.requestID))
            // The connection is closed: the rest of an oversized body is not read either.
            if problem.type == .tooLarge { response.headers[.connection] = "close" }
        }
        response.headers[.xRequestID] = origin.requestID
        metrics.answered(response.status.code, after: began.duration(to: .now))
        return response
    }

    private func answer(_ request: Request, _ origin: RequestOrigin) async throws -> Response {
        let (path, network) = (DevicePath(request.head.path), origin.address.network)
        let familiar = path?.device.flatMap { keys.isFamiliar($0, request.headers, from: network) ? $0 : nil }
        if let familiar {
            // Strangers behind the same address do not use up a familiar device's limit.
            try admit(devices, familiar)
        } else {
            try admit(addresses, network, unless: origin.address.isProxy)
        }
        guard let path else { throw Problem(.notFound) }
        switch path {
        case .time:
            guard request.method == .get else { throw Problem(.methodNotAllowed, headers: [.allow: "GET"]) }
            return Self.response(.ok, [:], time(clock.now()))
        case .topic(let topic, let text):
            guard request.method == .post else { throw Problem(.methodNotAllowed, headers: [.allow: "POST"]) }
            try await keys.require(topic.device, request.headers, from: network)
            if familiar == nil { try admit(devices, topic.device) }
            return try await running.with(topic.device) { try await store(request, topic, text) }
        }
    }

    private func store(_ request: Request, _ topic: Topic, _ text: String) async throws -> Response {
        try Self.requireMediaType(request.headers, topic.subject.mediaTypes)
        let body = try await request.wholeBody(most: PostedPayloads.largestBody)
        let payloads = try Self.payloads(body, topic.subject)
        // An event of a network server without measurements.
        guard !payloads.isEmpty else { return Self.response(.ok, [:], .object(PostedAnswer([]).members)) }
        let messages = payloads.map { MQTTMessage(topic: text, payload: $0) }
        let intake = intake
        let answer = PostedAnswer(try await withTimeout(settings.commitLimit) { try await intake.commit(messages) })
        guard answer.shed == 0 else {
            throw Problem(.tooManyRequests, parameters: answer.members, retryAfter: .seconds(60))
        }
        guard !answer.isRefused else { throw Problem(.nothingStored, parameters: answer.members) }
        return Self.response(.ok, [:], .object(answer.members))
    }

    private static func payloads(_ body: [UInt8], _ subject: Topic.Subject) throws(Problem) -> [[UInt8]] {
        // A SenML pack is an array itself.
        if subject == .senML { return [body] }
        if let event = NetworkEvent(body) { return event.message.map { [$0] } ?? [] }
        do throws(PostedPayloads.Fault) {
            return try PostedPayloads(body).payloads
        } catch {
            switch error {
            case .tooMany:
                throw Problem(.tooLarge, parameters: [.init("mostReadings", .integer(Int64(PostedPayloads.most)))])
            case .malformed: throw Problem(.malformedBody, parameters: [.init("reason", "not-readings")])
            case .empty: throw Problem(.malformedBody, parameters: [.init("reason", "empty")])
            }
        }
    }

    private static func requireMediaType(_ headers: HTTPFields, _ accepted: [String]) throws(Problem) {
        let type = headers[.contentType].map { text in
            text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
        guard let type, accepted.contains(type), headers[.contentEncoding] == nil else {
            throw Problem(.unsupportedMediaType)
        }
    }

    /// The time for devices without a clock: in the form that messages may state, and in whole Unix seconds.
    private func time(_ now: Timestamp) -> JSON {
        JSON.object(["time": .string(now.iso8601), "unix": .integer(now.microseconds / 1_000_000)])
    }

    private func admit<Key>(_ limiter: RateLimiter<Key>, _ key: Key, unless isExempt: Bool = false) throws(Problem) {
        guard !isExempt else { return }
        let verdict = limiter.take(key, at: .now)
        if !verdict.isAllowed { throw Problem(.tooManyRequests, retryAfter: verdict.wait) }
    }

    private func log(_ error: any Error, _ origin: RequestOrigin) {
        // Database errors are safe to log; others may quote anything.
        let story = (error as? PostgresError).map { "\($0) at \($0.file):\($0.line)" } ?? "\(type(of: error))"
        logger.error("A device's request failed", [.requestID: "\(origin.requestID)", .error: "\(story)"])
    }

    private static func response(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: JSON) -> Response {
        var fields = fields
        if fields[.contentType] == nil { fields[.contentType] = "application/json" }
        fields[.cacheControl] = "no-store"
        fields[.xContentTypeOptions] = "nosniff"
        return Response(
            status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body.bytes)))
    }
}
