import HTTPTypes
import Testing

@testable import Routes

@Suite struct ProblemTests {
    @Test func aProblemIsADocumentOfRFC9457() throws {
        let problem = Problem(
            Aquarium.asleep, faults: [FieldFault(Aquarium.food, Fault.tooShort(minimum: 2).inside("1"))],
            parameters: [.init("hour", 7)], retryAfter: .milliseconds(1_500), headers: [.allow: "GET"])
        #expect(
            problem.json(.es, requestID: "r-1") == [
                "type": "/api/problems/fish-asleep", "title": "El pez duerme", "status": 409,
                "detail": "Despierta a las 7.", "code": "fish-asleep", "requestId": "r-1", "hour": 7,
                "errors": [
                    [
                        "pointer": "/food/1", "code": "too-short", "detail": "Debe tener al menos 2 caracteres.",
                        "params": ["minimum": 2],
                    ]
                ],
            ])
        let fields = problem.fields(.es)
        #expect(fields[.contentType] == "application/problem+json")
        #expect(fields[.contentLanguage] == "es")
        #expect(fields[.vary] == "Accept-Language")
        #expect(fields[.retryAfter] == "2")
        #expect(fields[.allow] == "GET")
    }

    @Test func aFaultOutsideTheBodyNamesItsParameter() {
        let fault = FieldFault(.query, "limit", .notInteger).json(.en)
        #expect(
            fault == [
                "parameter": "limit", "in": "query", "code": "not-integer", "detail": "This must be a whole number.",
            ])
    }

    @Test func pointersAreEscaped() {
        #expect(FieldFault(.body, "a/b~c", .unknown).json(.en)["pointer"] == "/a~1b~0c")
    }

    /// Filled-in text is not searched for parameters.
    @Test func parametersAreFilledInOnce() {
        let text = Localised(en: "{a}, {b}, {c}", ja: "", es: "")
        #expect(text(.en, [.init("a", "{b}"), .init("b", "x")]) == "{b}, x, {c}")
    }

    static let faults: [Fault] = [
        .missing, .unknown, .repeated, .encoding, .nul, .notText, .pattern, .notInteger, .notNumber, .notBoolean,
        .notTimestamp, .notUUID, .notList, .notObject, .cursor, .entityTag, .tooShort(minimum: 1), .tooLong(maximum: 1),
        .tooSmall(minimum: 1), .tooLarge(maximum: 1), .tooFew(minimum: 1), .tooMany(maximum: 1), .notChoice(["a"]),
    ]

    @Test func everyTextIsThereInEveryLanguageWithTheSameParameters() {
        #expect(Set(Self.faults.map(\.code)).count == Self.faults.count)
        let texts =
            Self.faults.map(\.text) + ProblemType.generic.flatMap { [$0.title] + ($0.detail.map { [$0] } ?? []) }
        for text in texts {
            let parameters = Tongue.allCases.map { names(text($0)) }
            #expect(Set(parameters).count == 1, "\(text)")
            #expect(Set(Tongue.allCases.map { text($0) }).count == Tongue.allCases.count, "\(text)")
            #expect(Tongue.allCases.allSatisfy { !text($0).isEmpty })
        }
        for fault in Self.faults {
            for tongue in Tongue.allCases { #expect(!fault.text(tongue, fault.parameters).contains("{")) }
        }
    }

    private func names(_ text: String) -> [Substring] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            $0.split(separator: "}").first
        }.sorted()
    }

    @Test func codesAreWordsJoinedByHyphens() {
        for code in ProblemType.generic.map(\.code) + Self.faults.map(\.code) {
            #expect(TextPattern("^[a-z][a-z-]*[a-z]$").matches(code), "\(code)")
        }
        #expect(Set(ProblemType.generic.map(\.code)).count == ProblemType.generic.count)
    }
}
