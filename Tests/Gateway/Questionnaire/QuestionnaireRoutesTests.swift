import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// The questions about a tank through the API: Anna owns pond-1, Ben watches it, Eve is a stranger.
@Suite(.timeLimit(.minutes(10))) struct QuestionnaireRoutesTests {
    private static let koi: JSON = [
        "kind": "goldfish_koi", "species": ["cyprinus-carpio"], "litres": 12_000, "outdoors": true,
        "winter": "underIce",
        "plants": false, "probes": ["temperature", "ph"],
    ]

    @Test func nothingIsSaidAtFirst() async throws {
        try await TankScene.with { scene in
            let reply = try await scene.gateway.request(.GET, scene.questionnaire, scene.anna)
            #expect(reply.status == 200 && reply[header: "ETag"] == "\"v0\"")
            let told = reply.json
            #expect(told?["version"]?.integer == 0 && told?["at"] == .null && told?["by"] == .null)
            #expect(told?["answers"]?["kind"] == .null && told?["answers"]?["species"]?.array?.isEmpty == true)
            #expect(told?["proposals"]?.array?.isEmpty == true)
        }
    }

    @Test func answersProposeAndSetNothing() async throws {
        try await TankScene.with { scene in
            let before = try await scene.settings()
            let reply = try await scene.answer(Self.koi, scene.anna)
            #expect(reply.status == 200 && reply[header: "ETag"] == "\"v1\"", "\(reply.text)")
            #expect(try await scene.settings() == before)
            let told = reply.json
            #expect(told?["answers"]?["litres"]?.number == 12_000 && told?["by"]?["isMe"] == .bool(true))
            #expect(told?["answers"]?["winter"]?.string == "underIce")
            let proposals = try #require(told?["proposals"]?.array)
            let warmth = try #require(proposals.first { $0["parameter"]?.string == "temperature" })
            #expect(warmth["minimum"]?["value"]?.number == 2 && warmth["maximum"]?["value"]?.number == 29)
            #expect(warmth["nowMinimum"]?.number == 12 && warmth["nowMaximum"]?.number == 24)
            #expect(warmth["difference"]?.string == "wider" && warmth["preselected"] == .bool(true))
            #expect(warmth["measured"] == .bool(true) && warmth["clash"] == .null)
            let alkalinity = try #require(proposals.first { $0["parameter"]?.string == "alkalinity" })
            #expect(alkalinity["minimum"]?["of"]?.string == "species")
            #expect(alkalinity["minimum"]?["id"]?.string == "cyprinus-carpio")
            #expect(alkalinity["minimum"]?["convention"] == .bool(true) && alkalinity["measured"] == .bool(false))
            #expect(alkalinity["minimum"]?["sources"]?.array?.isEmpty == false)
            #expect(alkalinity["minimum"]?["freeAmmonia"] == .null)
            let ammonia = try #require(proposals.first { $0["parameter"]?.string == "ammonia" }?["maximum"])
            #expect(ammonia["value"]?.number == 0.11 && ammonia["id"]?.string == "goldfish_koi")
            let free = try #require(ammonia["freeAmmonia"])
            #expect(["most", "ph", "temperature"].map { free[$0]?.number } == [0.02, 8.5, 29] && free["unit"] == "C")
            #expect(ammonia["sources"]?.array?.contains { $0.string?.hasPrefix("Emerson") == true } == true)
        }
    }

    /// What was proposed beside other limits than those that hold now is not taken over.
    @Test func proposalsAreTakenOverBesideTheLimitsTheyWereMadeFor() async throws {
        try await TankScene.with { scene in
            let told = try await scene.answer(Self.koi, scene.anna).json
            let tag = try #require(told?["parametersTag"]?.string)
            #expect(told?["strangers"]?.array?.isEmpty == true)
            let parameters = "/api/v1/devices/pond-1/parameters"
            #expect(try await scene.gateway.request(.GET, parameters, scene.anna)[header: "ETag"] == tag)
            let own = try await scene.gateway.request(
                .PATCH, "\(parameters)/temperature", scene.anna, json: ["minimum": 15], headers: ["If-Match": "*"])
            #expect(own.status == 200, "\(own.text)")
            let proposed: JSON = ["changes": [["parameter": "temperature", "minimum": 2, "maximum": 29]]]
            let late = try await scene.gateway.request(
                .PATCH, parameters, scene.anna, json: proposed, headers: ["If-Match": tag])
            #expect(late.status == 412)
            let again = try await scene.gateway.request(.GET, scene.questionnaire, scene.anna).json
            let warmth = again?["proposals"]?.array?.first { $0["parameter"]?.string == "temperature" }
            #expect(warmth?["difference"]?.string == "wider" && warmth?["preselected"] == .bool(false))
            let next = try #require(again?["parametersTag"]?.string)
            let done = try await scene.gateway.request(
                .PATCH, parameters, scene.anna, json: proposed, headers: ["If-Match": next])
            #expect(done.status == 200, "who says so may")
        }
    }

    @Test func theSameAgainIsNoVersionAndAnotherNamesTheOneBefore() async throws {
        try await TankScene.with { scene in
            #expect(try await scene.answer(Self.koi, scene.anna, ifMatch: nil).status == 428)
            let first = try await scene.answer(Self.koi, scene.anna)
            let again = try await scene.answer(Self.koi, scene.anna)
            #expect(again.status == 200 && again.body == first.body)
            #expect(try await scene.answer(["kind": "reef"], scene.anna).status == 412)
            let other = try await scene.answer(["kind": "reef"], scene.anna, ifMatch: "\"v1\"")
            #expect(other.status == 200 && other[header: "ETag"] == "\"v2\"")
            #expect(other.json?["answers"]?["litres"] == .null, "what is left out has not been said")
            #expect(
                try await scene.gateway.ask("SELECT string_agg(kind, ' ' ORDER BY version) FROM tank_answers")
                    == "goldfish_koi reef")
        }
    }

    @Test func whoWatchesReadsWithTheirOwnLimitsAndAnswersNothing() async throws {
        try await TankScene.with { scene in
            #expect(try await scene.answer(Self.koi, scene.anna).status == 200)
            let limits: JSON = ["minimum": 2, "maximum": 29]
            let set = try await scene.gateway.request(
                .PATCH, "/api/v1/devices/pond-1/parameters/temperature", scene.ben, json: limits,
                headers: ["If-Match": "*"])
            #expect(set.status == 200, "\(set.text)")
            let seen = try await scene.gateway.request(.GET, scene.questionnaire, scene.ben)
            let warmth = seen.json?["proposals"]?.array?.first { $0["parameter"]?.string == "temperature" }
            #expect(seen.json?["by"]?["isMe"] == .bool(false) && warmth?["difference"]?.string == "same")
            #expect(try await scene.answer(["kind": "reef"], scene.ben, ifMatch: "*").code == "owner-only")
            #expect(try await scene.gateway.request(.GET, scene.questionnaire, scene.eve).status == 404)
            #expect(try await scene.answer(["kind": "reef"], scene.eve, ifMatch: "*").status == 404)
        }
    }

    @Test(
        arguments: [
            (["species": ["felis-catus"]], "/species/0", "not-a-choice"),
            (["species": ["corydoras", "corydoras"]], "/species", "repeated"),
            (["winter": "underIce"], "/winter", "not-outdoors"),
            (["outdoors": false, "winter": "underIce"], "/winter", "not-outdoors"),
            (["litres": 0], "/litres", "too-small"), (["kind": "cats"], "/kind", "not-a-choice"),
        ] as [(JSON, String, String)])
    func whatCannotBeIsRefused(_ answers: JSON, _ pointer: String, _ code: String) async throws {
        try await TankScene.with { scene in
            let reply = try await scene.answer(answers, scene.anna)
            #expect(reply.status == 422)
            #expect(reply.json?["errors"]?[0]?["pointer"]?.string == pointer, "\(reply.text)")
            #expect(reply.json?["errors"]?[0]?["code"]?.string == code, "\(reply.text)")
        }
    }

    @Test func remindersAreProposedByWhatIsSaid() async throws {
        try await TankScene.with { scene in
            func proposed(_ query: String, _ person: TankScene.Person) async throws -> GatewayUnderTest.Reply {
                try await scene.gateway.request(.GET, "/api/v1/reminder-proposals\(query)", person)
            }
            let all = try await proposed("", scene.anna).json?.array?.compactMap { $0["id"]?.string }
            #expect(all == CareProposal.all.map(\.id))
            #expect(
                try await proposed("?device=pond-1", scene.anna).json?.array?.count == all?.count, "nothing is said")
            #expect(try await scene.answer(["kind": "pool"], scene.anna).status == 200)
            let pool = try await proposed("?device=pond-1", scene.ben).json?.array?.compactMap { $0["id"]?.string }
            #expect(pool?.contains("feed") == false && pool?.contains("test") == true)
            #expect(try await proposed("?device=pond-1", scene.eve).status == 404)
        }
    }

    @Test func fiftyVersionsAreKept() async throws {
        try await TankScene.with { scene in
            for version in 0..<52 {
                let reply = try await scene.answer(
                    ["litres": .integer(Int64(version + 1))], scene.anna, ifMatch: "\"v\(version)\"")
                #expect(reply.status == 200)
            }
            #expect(
                try await scene.gateway.ask(
                    "SELECT concat_ws(' ', count(*), min(version), max(version)) FROM tank_answers")
                    == "50 3 52")
        }
    }

    @Test func speciesAreToldInThePersonsLanguage() async throws {
        try await GatewayUnderTest.with { gateway in
            let kenji = try await gateway.person("kenji@example.com", locale: "ja")
            let species = try #require(try await gateway.request(.GET, "/api/v1/species", kenji).json?.array)
            #expect(species.map { $0["id"]?.string } == Species.catalogue.map(\.id))
            let goldfish = try #require(species.first)
            #expect(goldfish["name"]?.string == "金魚" && goldfish["scientificName"]?.string == "Carassius auratus")
            #expect(goldfish["limits"]?[0]?["minimum"]?.number == 10 && goldfish["limits"]?[0]?["unit"]?.string == "C")
            #expect(goldfish["limits"]?[0]?["address"]?.string?.isEmpty == false)
            #expect(try await gateway.request(.GET, "/api/v1/species").status == 401)
        }
    }
}

/// Changing the limits of several parameters at once.
@Suite(.timeLimit(.minutes(10))) struct ManyParametersRoutesTests {
    private let parameters = "/api/v1/devices/pond-1/parameters"

    @Test func allOfThemOrNone() async throws {
        try await TankScene.with { scene in
            let before = try await scene.settings()
            let list = try await scene.gateway.request(.GET, parameters, scene.anna)
            let tag = try #require(list[header: "ETag"])
            func change(_ changes: JSON, _ tag: String?) async throws -> GatewayUnderTest.Reply {
                try await scene.gateway.request(
                    .PATCH, parameters, scene.anna, json: ["changes": changes],
                    headers: tag.map { ["If-Match": $0] } ?? [:])
            }
            let good: JSON = ["parameter": "temperature", "minimum": 2, "maximum": 29]
            let refused = try await change([good, ["parameter": "ph", "minimum": 9, "maximum": 7]], tag)
            #expect(refused.status == 422 && refused.json?["errors"]?[0]?["pointer"]?.string == "/changes/1/minimum")
            #expect(refused.json?["errors"]?[0]?["code"]?.string == "limits-cross")
            #expect(try await scene.settings() == before, "nothing of it was set")
            #expect(try await change([good, good], tag).json?["errors"]?[0]?["code"]?.string == "repeated")
            #expect(try await change([good], nil).status == 428)
            for wrong in [["parameter": "ph"], ["minimum": 7], ["parameter": "ph", "colour": "red"]] as [JSON] {
                let reply = try await change([wrong], tag)
                #expect(reply.status == 422, "\(wrong)")
            }

            let done = try await change([good, ["parameter": "salinity", "minimum": .null, "maximum": .null]], tag)
            #expect(done.status == 200, "\(done.text)")
            let warmth = done.json?.array?.first { $0["name"]?.string == "temperature" }
            #expect(warmth?["minimum"]?.number == 2 && warmth?["maximum"]?.number == 29)
            let salt = done.json?.array?.first { $0["name"]?.string == "salinity" }
            #expect(salt?["minimum"] == .null && salt?["maximum"] == .null)
            #expect(try await change([good], tag).status == 412, "the list has changed since")
        }
    }

    /// A limit that a person marked as dangerous is not passed by a proposal.
    @Test func criticalLimitsStayAndRefuse() async throws {
        try await TankScene.with { scene in
            let marked = try await scene.gateway.request(
                .PATCH, "\(parameters)/temperature", scene.anna, json: ["criticalMaximum": 27],
                headers: ["If-Match": "*"])
            #expect(marked.status == 200, "\(marked.text)")
            let reply = try await scene.gateway.request(
                .PATCH, parameters, scene.anna, json: ["changes": [["parameter": "temperature", "maximum": 29]]],
                headers: ["If-Match": "*"])
            #expect(reply.status == 422)
            #expect(reply.json?["errors"]?[0]?["code"]?.string == "critical-maximum-not-above")
            #expect(reply.json?["errors"]?[0]?["pointer"]?.string == "/changes/0/maximum")
        }
    }
}

private struct TankScene: Sendable {
    typealias Person = GatewayUnderTest.Person

    let gateway: GatewayUnderTest
    let anna: Person
    let ben: Person
    let eve: Person
    let questionnaire = "/api/v1/devices/pond-1/questionnaire"

    static func with(_ body: @Sendable @escaping (TankScene) async throws -> Void) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let ben = try await gateway.person("ben@example.com")
            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-1", of: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            try await body(TankScene(gateway: gateway, anna: anna, ben: ben, eve: eve))
        }
    }

    /// - Parameter ifMatch: As if nothing had been answered yet, unless given.
    func answer(
        _ answers: JSON, _ person: Person, ifMatch: String? = "\"v0\""
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .PUT, questionnaire, person, json: answers, headers: ifMatch.map { ["If-Match": $0] } ?? [:])
    }

    /// Every version of every setting.
    func settings() async throws -> String {
        try await gateway.ask(
            "SELECT string_agg(concat_ws(' ', account_id, parameter, version, minimum, maximum), ',' ORDER BY account_id, parameter, version) FROM setting"
        )
    }
}
