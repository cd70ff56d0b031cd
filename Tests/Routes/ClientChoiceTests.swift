import HTTPTypes
import Testing

@testable import Routes

/// What a PUT does whose client chose the id: sent once or often, it counts once.
@Suite struct ClientChoiceTests {
    private func outcome(_ header: String?, current: Int64?, isSame: Bool = false) -> String {
        do throws(Problem) {
            let condition = header.flatMap { EntityTagCondition($0) }
            return "\(try ClientChoice(condition, current: current.map { EntityTag(version: $0) }, isSame: isSame))"
        } catch {
            return [error.type.code, error.headers[.eTag]].compactMap(\.self).joined(separator: " ")
        }
    }

    @Test func withoutAVersionItCreates() {
        #expect(outcome(nil, current: nil) == "create")
        #expect(outcome(nil, current: 1, isSame: true) == "keep")
        #expect(outcome(nil, current: 1) == "precondition-failed \"v1\"")
    }

    @Test func withAVersionItChanges() {
        #expect(outcome("\"v1\"", current: 1) == "change")
        #expect(outcome("*", current: 1) == "change")
        #expect(outcome("\"v1\"", current: 2) == "precondition-failed \"v2\"")
        #expect(
            outcome("W/\"v2\"", current: 2) == "precondition-failed \"v2\"", "a weak tag names no version to change")
        // The change was made, and its answer was lost.
        #expect(outcome("\"v1\"", current: 2, isSame: true) == "keep")
    }

    @Test func whatIsNotThereIsNotChanged() {
        for header in ["*", "\"v1\""] { #expect(outcome(header, current: nil) == "not-found") }
    }
}
