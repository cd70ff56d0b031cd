import MQTT
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Sensors of problems at Home Assistant.
@Suite struct HomeProblemsTests {
    private let problems = HomeProblems()

    private func told() -> [String] {
        problems.take(most: 10).map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }
    }

    private func note(_ device: Bool, _ parameters: [Parameter: Bool]) {
        problems.note(.init(device: device, parameters: parameters), of: "tank-1")
    }

    @Test func stateIsOneMessageAndAnnouncedOnce() throws {
        note(false, [.ph: false, .temperature: false])
        let messages = problems.take(most: 10)
        #expect(
            messages.map(\.topic) == [
                "homeassistant/device/aquamonitor_tank-1_problems/config", "aquamonitor/tank-1/problems",
            ])
        #expect(messages.map(\.retain) == [true, false])
        note(true, [.ph: true, .temperature: false])
        #expect(told() == [#"aquamonitor/tank-1/problems {"device":"ON","temperature":"OFF","ph":"ON"}"#])
        #expect(told().isEmpty)
        problems.startAnew()
        #expect(told().count == 2)
    }

    /// Home Assistant takes a component away that has nothing but its platform.
    @Test func aParameterThatIsNotWatchedAnyMoreGoes() throws {
        note(false, [.ph: false, .temperature: false])
        _ = problems.take(most: 10)
        note(false, [.ph: false])
        let components = try JSON(reading: problems.take(most: 10)[0].payload)["components"]
        #expect(components?["temperature_problem"]?.members?.map(\.name) == ["platform"])
        #expect(components?["ph_problem"]?["value_template"]?.string == "{{ value_json.ph }}")
        #expect(components?["ph_problem"]?["expire_after"]?.integer == 10_800, "as the values' sensors")
    }

    /// Home Assistant keeps a sensor that an announcement merely leaves out.
    @Test func aParameterThatIsNotWatchedAnyMoreGoesAlsoWhileTheBrokerIsAway() throws {
        func withdrawn() throws -> Bool {
            let components = try JSON(reading: problems.take(most: 10)[0].payload)["components"]
            return components?["temperature_problem"]?.members?.map(\.name) == ["platform"]
        }
        note(false, [.ph: false, .temperature: false])
        _ = told()
        note(false, [.ph: false])
        problems.startAnew()
        #expect(try withdrawn())
        // The connection ended before it was known to have taken that.
        problems.startAnew()
        #expect(try withdrawn())
        #expect(told().isEmpty)
        problems.startAnew()
        #expect(try !withdrawn(), "what is gone is not taken away for ever")
    }

    @Test func aRemovalWaitsForTheBroker() {
        note(true, [:])
        _ = told()
        problems.remove("tank-1")
        problems.startAnew()
        #expect(told() == [Self.removal])
        problems.startAnew()
        #expect(told() == [Self.removal], "the connection ended before it was known to have taken it")
        #expect(told().isEmpty)
        problems.startAnew()
        #expect(told().isEmpty)
    }

    /// What is noted of a removal goes when it has arrived, and when the device is shown again.
    @Test func aRemovalIsSettledByItsArrivalOrByWhatIsShownAgain() {
        note(true, [:])
        _ = told()
        problems.remove("tank-1")
        problems.startAnew()
        #expect(told() == [Self.removal] && problems.takeSettled().isEmpty, "it may not have arrived")
        #expect(told().isEmpty && problems.takeSettled() == ["tank-1"])
        #expect(problems.takeSettled().isEmpty, "once")
        problems.remove("tank-1")
        note(true, [:])
        #expect(told().count == 2 && problems.takeSettled() == ["tank-1"])
        problems.remove("tank-1")
        problems.forget()
        problems.startAnew()
        #expect(told().isEmpty && problems.takeSettled().isEmpty, "whoever has the turn takes it away")
    }

    @Test func aDeviceThatIsShownAgainWhileItsRemovalIsUnderWayStays() {
        problems.remove("tank-1")
        #expect(told() == [Self.removal])
        note(true, [:])
        #expect(told().count == 2)
        #expect(problems.takeSettled() == ["tank-1"])
        #expect(told().isEmpty && problems.takeSettled().isEmpty)
    }

    @Test func removalsThatWaitAreBounded() {
        for number in 1...1_500 { problems.remove("tank-\(number)") }
        #expect(problems.take(most: 10_000).count == 1_500)
        problems.startAnew()
        #expect(problems.take(most: 10_000).count == 1_000)
    }

    private static let removal = "homeassistant/device/aquamonitor_tank-1_problems/config "

    /// Another Ingestor has the turn, and tells what is true now.
    @Test func whatIsForgottenIsNotToldAgain() {
        note(true, [.ph: true])
        _ = problems.take(most: 10)
        problems.forget()
        problems.startAnew()
        #expect(told().isEmpty, "neither a state nor the removal of what another keeps")
        note(false, [.ph: false])
        #expect(told().count == 2)
    }

    @Test func theSensorsGoWithTheOwnersWish() {
        note(true, [:])
        _ = problems.take(most: 10)
        problems.remove("tank-1")
        #expect(told() == [Self.removal])
        #expect(told().isEmpty)
        note(true, [:])
        #expect(told().count == 2, "and come back")
    }
}
