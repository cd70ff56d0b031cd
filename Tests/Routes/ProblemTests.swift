import HTTPTypes
import Testing
import Words

@testable import Routes

@Suite struct ProblemTests {
    private let spanish = Language(locale: "es")

    @Test func aProblemIsADocumentOfRFC9457() throws {
        let problem = Problem(
            Aquarium.asleep, faults: [FieldFault(Aquarium.food, Fault.tooShort(minimum: 2).inside("1"))],
            parameters: [.init("hour", 7)], retryAfter: .milliseconds(1_500), headers: [.allow: "GET"])
        #expect(
            problem.json(spanish, requestID: "r-1") == [
                "type": "/api/problems/device-taken", "title": .string(spanish.text("problem.device-taken_title")),
                "status": 409,
                "detail": .string(spanish.text("problem.device-taken_detail")), "code": "device-taken",
                "requestId": "r-1",
                "hour": 7,
                "errors": [
                    [
                        "pointer": "/food/1", "code": "too-short", "detail": "Debe tener al menos 2 caracteres.",
                        "params": ["minimum": 2],
                    ]
                ],
            ])
        let fields = problem.fields(spanish)
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

    static let faults: [Fault] = [
        .missing, .unknown, .repeated, .encoding, .nul, .notText, .pattern, .notInteger, .notNumber, .notBoolean,
        .notTimestamp, .notUUID, .notList, .cursor, .entityTag, .tooShort(minimum: 1), .tooLong(maximum: 1),
        .tooSmall(minimum: 1), .tooLarge(maximum: 1), .tooFew(minimum: 1), .tooMany(maximum: 1), .notChoice(["a"]),
    ]

    /// `CatalogueTests` shows for all texts that they have the same places in every language.
    @Test(arguments: Language.allCases) func everyTextIsThereAndComplete(_ language: Language) {
        #expect(Set(Self.faults.map(\.code)).count == Self.faults.count)
        for fault in Self.faults {
            #expect(language.has("fault.\(fault.code)") && !fault.text(in: language).contains("{"))
        }
        for type in ProblemType.generic { #expect(language.has("problem.\(type.code)_title")) }
    }

    @Test func codesAreWordsJoinedByHyphens() {
        for code in ProblemType.generic.map(\.code) + Self.faults.map(\.code) {
            #expect(TextPattern("^[a-z][a-z-]*[a-z]$").matches(code), "\(code)")
        }
        #expect(Set(ProblemType.generic.map(\.code)).count == ProblemType.generic.count)
    }
}
