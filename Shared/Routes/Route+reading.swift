import HTTPTypes

extension Route {
    /// Reads every input and reports all faults in one problem, so that a form can show them together.
    func readInputs(of request: RawRequest) throws(Problem) -> Inputs {
        var faults: [FieldFault] = []
        let parts = RequestParts(
            path: request.path, query: readTexts(request.query ?? "", from: .query, &faults), headers: request.headers,
            body: try readBody(request, &faults))
        // RFC 6585, section 3
        if ifMatch?.isRequired == true, request.headers[.ifMatch] == nil { throw Problem(.preconditionRequired) }
        var values: [String: any Sendable] = [:]
        for input in inputs {
            // Skips inputs that could not be decoded, which would be reported as missing, too.
            guard !faults.contains(where: { $0.place == input.place && $0.name == input.name }) else { continue }
            do throws(Fault) {
                values[Inputs.key(input)] = try input.read(from: parts)
            } catch {
                faults.append(FieldFault(input, error))
            }
        }
        guard faults.isEmpty else { throw Problem(faultType, faults: Array(faults.prefix(greatestFaults))) }
        return Inputs(values)
    }

    /// Reads a query, or a form, whose client has fields of its own.
    private func readTexts(
        _ text: String, from place: FieldFault.Place, _ faults: inout [FieldFault]
    ) -> [String: String] {
        let known = Set(inputs.lazy.filter { $0.place == place }.map(\.name))
        var values: [String: String] = [:]
        var seen: Set<String> = []
        for parameter in Query(text).parameters {
            let name = parameter.name
            if !known.contains(name) {
                if place == .query, !takesAnyQuery {
                    faults.append(FieldFault(.query, String(name.prefix(64)), .unknown))
                }
            } else if !seen.insert(name).inserted {
                faults.append(FieldFault(place, name, .repeated))
            } else if let value = parameter.value {
                values[name] = value
            } else {
                faults.append(FieldFault(place, name, .encoding))
            }
        }
        return values
    }

    private func readBody(_ request: RawRequest, _ faults: inout [FieldFault]) throws(Problem) -> [String: JSON] {
        guard !request.body.isEmpty else { return [:] }
        if case .ignored = body { return [:] }
        guard body.mediaTypes.contains(where: { isMedia($0, request.headers[.contentType]) }) else {
            if case .file(let file) = body { throw Problem(file.refusal) }
            throw Problem(.unsupportedMediaType)
        }
        if case .file = body { return [:] }
        if body.isForm {
            return readTexts(String(decoding: request.body, as: UTF8.self), from: .body, &faults).mapValues(JSON.string)
        }
        let json: JSON
        do throws(JSONFault) {
            json = try JSON(reading: request.body)
        } catch {
            throw Problem(.malformedBody, parameters: [.init("reason", .string(error.rawValue))])
        }
        guard case .object(let members) = json else {
            throw Problem(.malformedBody, parameters: [.init("reason", "not-an-object")])
        }
        let known = Set(inputs.lazy.filter { $0.place == .body }.map(\.name))
        var values: [String: JSON] = [:]
        for member in members {
            if known.contains(member.name) {
                values[member.name] = member.value
            } else {
                faults.append(FieldFault(.body, String(member.name.prefix(64)), .unknown))
            }
        }
        return values
    }
}

/// The most faults in one answer, so that a hostile body of ten thousand unknown members gets a short one.
private let greatestFaults = 32

/// Whether the media type is that one, in UTF-8 if it names a character set.
private func isMedia(_ type: String, _ contentType: String?) -> Bool {
    guard let contentType else { return false }
    let parts = contentType.lowercased().split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0) }
    guard parts[0] == type else { return false }
    return parts.dropFirst().allSatisfy { part in
        !part.hasPrefix("charset=") || part == "charset=utf-8" || part == "charset=\"utf-8\""
    }
}
