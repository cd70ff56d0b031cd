import Foundation

/// A strict stand-in for a provider with Twilio's REST interface (twilio.com/docs/messaging/api/message-resource,
/// /docs/voice/api/call-resource): it takes what the documentation allows, and refuses all else with the documented codes.
package struct TelephonyProvider: Sendable {
    package var account = "AC-stand-in"
    package var token = "stand-in-of-a-token"
    package var from = "+15550100200"
    package var to = "+15550100300"

    package init() {}

    /// A request that was taken.
    package enum Order: Sendable {
        case message(String)
        case call(SpokenDocument)
    }

    package struct Refusal: Error, Hashable, Sendable {
        package let status: Int
        package let code: Int

        package var answer: WebhookSink.Answer {
            .body(#"{"code":\#(code),"message":"no","status":\#(status)}"#, status: status)
        }
    }

    package static let accepted = WebhookSink.Answer.body(#"{"sid":"SM1","status":"queued"}"#, status: 201)

    /// Answers as the provider does.
    package func answer(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        do throws(Refusal) {
            _ = try order(request)
            return Self.accepted
        } catch {
            return error.answer
        }
    }

    /// - Throws: `Refusal`.
    package func order(_ request: WebhookSink.Request) throws(Refusal) -> Order {
        try order(
            method: request.method, path: request.path, authorization: request.header("authorization"),
            contentType: request.header("content-type"), body: request.body)
    }

    package func order(
        method: String, path: String, authorization: String?, contentType: String?, body: [UInt8]
    ) throws(Refusal) -> Order {
        let root = "/2010-04-01/Accounts/\(account)/"
        guard method == "POST", [root + "Messages.json", root + "Calls.json"].contains(path) else {
            throw Refusal(status: 404, code: 20404)
        }
        guard authorization == "Basic \(Data("\(account):\(token)".utf8).base64EncodedString())" else {
            throw Refusal(status: 401, code: 20003)
        }
        guard contentType == "application/x-www-form-urlencoded", let form = Self.fields(of: body) else {
            throw Refusal(status: 400, code: 20001)
        }
        guard form["To"] == to else { throw Refusal(status: 400, code: 21211) }
        return path.hasSuffix("Calls.json") ? try call(form) : try message(form)
    }

    private func message(_ form: [String: String]) throws(Refusal) -> Order {
        let sender = form["MessagingServiceSid"] ?? form["From"]
        guard sender == from else { throw Refusal(status: 400, code: 21606) }
        guard Set(form.keys).subtracting(["From", "MessagingServiceSid"]) == ["To", "Body"], form.count == 3 else {
            throw Refusal(status: 400, code: 20001)
        }
        guard let body = form["Body"], !body.isEmpty else { throw Refusal(status: 400, code: 21602) }
        guard body.utf16.count <= 1600 else { throw Refusal(status: 400, code: 21617) }
        return .message(body)
    }

    private func call(_ form: [String: String]) throws(Refusal) -> Order {
        guard form["From"] == from else { throw Refusal(status: 400, code: 21212) }
        guard Set(form.keys) == ["To", "From", "Twiml"], let text = form["Twiml"], text.utf16.count <= 4000 else {
            throw Refusal(status: 400, code: 20001)
        }
        guard let document = SpokenDocument(text), Self.isKnown(document) else {
            throw Refusal(status: 400, code: 12100)
        }
        return .call(document)
    }

    /// Whether the elements are those that a call has, in their places.
    private static func isKnown(_ document: SpokenDocument) -> Bool {
        let inside = document.gather == nil ? "Response" : "Response/Gather"
        let allowed: Set = ["Response", inside, "\(inside)/Say", "\(inside)/Pause"]
        return document.elements.first == "Response" && Set(document.elements).isSubset(of: allowed)
            && !document.said.isEmpty && document.said.allSatisfy { !$0.text.isEmpty && !$0.language.isEmpty }
            && document.gather.map { $0["method"] == "POST" && $0["numDigits"] == "1" && $0["action"] != nil } != false
    }

    /// The fields of a form; nil where one comes twice or cannot be decoded.
    package static func fields(of body: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        for part in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard pieces.count == 2, let name = pieces[0], let value = pieces[1], fields[name] == nil else {
                return nil
            }
            fields[name] = value
        }
        return fields
    }
}
