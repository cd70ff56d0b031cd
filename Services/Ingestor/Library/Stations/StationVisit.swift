import Instants
import MQTT
import PushClient
import PushTargets
import Routes
import ServiceKit
import Stations
import WaterQuality

/// One question to a station: what is asked, what the answer says, and which messages it is. Without a database.
struct StationVisit: Sendable {
    /// The outcome of a question.
    enum Finding: Sendable {
        case values(StationAnswer, entityTag: String?)
        /// Nothing new since the last question.
        case unchanged
        case fault(StationFault, pause: Duration?)
    }

    /// The most messages that are stored at once; a longer answer is several of them.
    static let mostMessages = 1_000

    let due: DueStation
    let question: StationQuestion

    init(_ due: DueStation, _ settings: StationSettings, now: Timestamp) throws(StationFault) {
        guard let station = due.station else { throw .notAllowed }
        // After a failure what is new comes first: a look back would end the failures without an answer, or fail for ever.
        let back =
            due.failures == 0
            ? StationWindow.back(from: due.seenUntil, fetchedAt: due.fetchedAt, setAt: due.setAt, now: now) : nil
        let window =
            back
            ?? StationWindow(seenUntil: due.seenUntil, newest: due.series.compactMap(\.newest), now: now)
        let question = StationQuestion(
            station, window, due.choice, allowed: settings.hosts, origins: settings.origins)
        guard let question else { throw .notAllowed }
        self.due = due
        self.question = question
    }

    /// Asks, and reads the answer.
    func ask(_ client: PushClient, _ settings: StationSettings, now: Timestamp) async -> Finding {
        let reply: PushReply
        do throws(StationFault) {
            reply = try await get(
                question.url, tag: question.window.looksBack ? nil : due.entityTag, client, settings)
        } catch {
            return .fault(error, pause: nil)
        }
        guard case .response(let status, let retryAfter) = reply.answer else {
            return .fault(Self.fault(reply.answer), pause: nil)
        }
        switch status {
        case 200:
            guard let body = reply.body else { return .fault(.tooLarge, pause: nil) }
            do throws(StationFault) {
                // As far ahead as a device's clock may be.
                return .values(
                    try question.read(body).without(after: now + .seconds(300)), entityTag: reply.entityTag)
            } catch {
                return .fault(error, pause: nil)
            }
        case 304 where due.entityTag != nil: return .unchanged
        default:
            let pause = retryAfter.flatMap {
                RetryAfter.delay($0, now: now, longest: StationRhythm.longestAfterFailure)
            }
            return .fault(Self.fault(status: status), pause: pause)
        }
    }

    /// Asks for the name of a station that has not said it yet.
    func askTitle(_ client: PushClient, _ settings: StationSettings) async -> String? {
        guard let url = question.titleURL, let reply = try? await get(url, tag: nil, client, settings),
            case .response(200, _) = reply.answer, let body = reply.body
        else { return nil }
        return question.readTitle(body).map { ForeignText.shown($0, longest: 80) }
    }

    private func get(
        _ url: String, tag: String?, _ client: PushClient, _ settings: StationSettings
    ) async throws(StationFault) -> PushReply {
        let target: PushTarget
        do throws(PushTargetFault) {
            target = try client.policy.register(url)
        } catch {
            throw .notPermitted
        }
        guard target.isEncrypted else { throw .notPermitted }
        var headers = [
            (name: "Accept", value: "application/geo+json, application/json"),
            (name: "User-Agent", value: "AquaMonitor"),
        ]
        if let tag { headers.append((name: "If-None-Match", value: tag)) }
        // The key is for the Survey alone, whoever else is asked.
        if case .usgs = question.station, let key = settings.surveyKey {
            headers.append((name: "X-Api-Key", value: key.renewed().revealed))
        }
        return await client.exchange(
            [], headers: headers, to: target, for: AskerID(rawValue: due.account.rawValue), method: .get,
            most: StationQuestion.mostBytes)
    }

    static func fault(_ answer: PushAnswer) -> StationFault {
        switch answer {
        case .notPermitted, .unusable: .notPermitted
        case .noConnection, .broken, .silence: .unreachable
        case .response(let status, _): fault(status: status)
        }
    }

    static func fault(status: Int) -> StationFault {
        switch status {
        case 401, 403: .refused
        case 404, 410: .notFound
        case 429, 503: .busy
        default: .broken
        }
    }

    /// The messages of an answer, as a device of that name would send them: a message a moment, oldest first, without what was taken before unless the
    /// question looks back for what has changed of it.
    func messages(_ answer: StationAnswer) -> [MQTTMessage] {
        let seen = Dictionary(
            due.series.compactMap { series in series.parameter.map { ($0, series.newest ?? .distantPast) } }
        ) { min($0, $1) }
        return answer.moments.compactMap { moment in
            let values = moment.values.filter {
                question.window.looksBack || moment.time > seen[$0.key] ?? .distantPast
            }
            guard !values.isEmpty else { return nil }
            let members =
                [JSON.Member("time", .string(moment.time.iso8601))]
                + values.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { JSON.Member($0.key.name, .number(Double($0.value))) }
            return MQTTMessage(topic: "aqua/v1/\(due.site)/readings", payload: JSON.object(members).bytes)
        }
    }

    /// The station as it is known after an answer whose values are stored.
    func known(_ answer: StationAnswer, entityTag: String?, title: String?, now: Timestamp) -> DueStation {
        var known = due
        known.title = answer.title ?? title ?? due.title
        let before = Dictionary(due.series.map { ($0.id, $0.newest) }) { first, _ in first }
        known.series = answer.series.map { series in
            var series = series
            series.newest = [series.newest, before[series.id] ?? nil].compactMap(\.self).max()
            return series
        }
        // A series that has nothing to say this time is still one of the station's.
        let (answered, shown) = (Set(answer.series.map(\.id)), Set(answer.series.compactMap(\.parameter)))
        for var series in due.series where !answered.contains(series.id) {
            if let chosen = due.choice.parameters[series.id] { series.parameter = chosen }
            if series.parameter.map(shown.contains) == true { series.parameter = nil }
            known.series.append(series)
        }
        known.series = Array(known.series.prefix(StationSeries.most))
        let newest =
            answer.until ?? [known.series.compactMap(\.newest).max(), question.window.to].compactMap(\.self).max()
        known.seenUntil = [due.seenUntil, newest.map { min($0, now) }].compactMap(\.self).max()
        let next = StationWindow(seenUntil: known.seenUntil, newest: known.series.compactMap(\.newest), now: now)
        known.entityTag = next == question.window ? entityTag.flatMap { $0.utf8.count <= 200 ? $0 : nil } : nil
        return known
    }
}
