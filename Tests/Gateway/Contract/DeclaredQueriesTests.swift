import Foundation
import HTTPTypes
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The stand-in that walks through the web app ask refuses the query names that the service would refuse: it reads them from a list, which
/// is what the routes declare.
@Suite struct DeclaredQueriesTests {
    @Test func theStandInOfTheWalksKnowsTheQueriesOfEveryRoute() throws {
        let file = Paths.repository.appending(path: "Tests/Web/browser/queries.json")
        let listed = try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: file))
        var declared: [String: [String]] = [:]
        for route in GatewayAPI.make().routes {
            let names = route.inputs.filter { $0.place == .query }.map(\.name)
            if !names.isEmpty { declared["\(route.method.rawValue) \(route.path)"] = names.sorted() }
        }
        #expect(declared.count > 20)
        for key in Set(declared.keys).union(listed.keys).sorted() {
            #expect(listed[key] == declared[key], "In queries.json, \(key) has to have \(declared[key] ?? ["no line"])")
        }
    }
}
