import TestSupport
import Testing

/// People's ways through the web app, in a real browser (`Tests/Web/browser`), with the real programs, probes and a
/// receiver of webhooks. Each walk has a system of its own, or plays the service itself. Those of a suite run one after the other, the longest
/// first, beside the other suites of whole systems (`WholeSystems`, `WaterAppTests`, `FarmAppTests`).
@Suite(.serialized) struct WebAppTests {
    @Test func largeWindowsLanguagesAndMotion() async throws { try await walk("sizes") }

    @Test func fromSigningUpToSigningOut() async throws { try await walk("first_way") }

    @Test func twoPeopleShareADevice() async throws { try await walk("sharing") }

    @Test func answersToAlarms() async throws { try await walk("answers") }

    @Test func quietHours() async throws { try await walk("quiet") }

    @Test func whatIsToldRegularly() async throws { try await walkAlone("summary") }

    @Test func ifNobodyAnswers() async throws { try await walk("chain") }

    @Test func theAccount() async throws { try await walk("account") }

    @Test func mailAndAForgottenPassword() async throws { try await walk("mail") }

    @Test func waysThatReachAPerson() async throws { try await walkAlone("ways") }

    @Test func addressesForAlerts() async throws { try await walk("webhook") }

    @Test func limitsOnTwoScreens() async throws { try await walk("two_screens") }

    @Test func scanningACode() async throws { try await walk("scanner") }

    @Test func phonesAndLanguages() async throws { try await walk("phones") }

    @Test func sizeShiftAndStrangers() async throws { try await walk("budgets") }

    /// Prints the time of the first load on a slow phone; fails only if nothing loads.
    @Test(.enabled(if: WebAppVisit.measures, "AQUA_MEASURE_LOAD=1 measures")) func loadOnASlowPhone() async throws {
        try await walk("load")
    }
}

/// The same ways: those to the water, and to what it needs from its keeper.
@Suite(.serialized) struct WaterAppTests {
    @Test func buttonsAndCaptionsOfEachSize() async throws { try await walkAlone("large") }

    @Test func whatIsSnoozedAnsweredOrFaulty() async throws { try await walkAlone("screens") }

    @Test func severalProbes() async throws { try await walk("probes") }

    @Test func howDevicesLive() async throws { try await walkAlone("life") }

    @Test func aSecondProbe() async throws { try await walkAlone("second") }

    @Test func aPublicStation() async throws { try await walkAlone("station") }

    @Test func theJournal() async throws { try await walkAlone("journal") }

    @Test func valuesByHand() async throws { try await walkAlone("by_hand") }

    @Test func samplesInTheField() async throws { try await walkAlone("field") }

    @Test func protocolsOfOnesOwn() async throws { try await walkAlone("protocol") }

    @Test func aSurveyByARiver() async throws { try await walk("survey") }

    @Test func presetsOfOnesOwn() async throws { try await walkAlone("presets") }

    @Test func limitsByTimeOfDay() async throws { try await walkAlone("periods") }

    @Test func calibrationsAndDrift() async throws { try await walkAlone("calibration") }

    @Test func messagesDeletionsAndReports() async throws { try await walkAlone("records") }

    @Test func whatEverybodyMayRead() async throws { try await walkAlone("public") }

    @Test func questionsAboutATank() async throws { try await walk("questions") }

    @Test func silenceSpansAndOrder() async throws { try await walk("water") }

    @Test func remindersAndTheirCalendar() async throws { try await walkAlone("care") }

    @Test func aNewVersion() async throws { try await walk("update") }
}

/// The same ways: those of many tanks and several people, and of whoever runs the installation.
@Suite(.serialized) struct FarmAppTests {
    @Test func thePageOfAnAlertsLink() async throws { try await walkAlone("answer_link") }

    @Test func devicesThatAreMade() async throws { try await walkAlone("enrol") }

    @Test func howProbesAreSetUp() async throws { try await walkAlone("setup") }

    @Test func tanksWhereTheyStand() async throws { try await walkAlone("plan") }

    @Test func whereDevicesAre() async throws { try await walk("places") }

    @Test func areasOfTheMapThatAreKept() async throws { try await walkAlone("saved_maps") }

    @Test func samplesThatAProjectReceives() async throws { try await walkAlone("receivers") }

    @Test func aMapOfTheServicesOwn() async throws { try await walk("own_map") }

    @Test func aLookOfOnesOwn() async throws { try await walk("look") }

    @Test func whereABoatWas() async throws { try await walkAlone("track") }

    @Test func placesWithoutADevice() async throws { try await walkAlone("sites") }

    @Test func whatChangedWhere() async throws { try await walkAlone("change") }

    /// Prints how many frames a second ten thousand points move at; fails only if they are not drawn.
    @Test(.enabled(if: WebAppVisit.measures, "AQUA_MEASURE_LOAD=1 measures"))
    func tenThousandPointsOnASlowPhone() async throws {
        try await walkAlone("change_bench")
    }

    @Test func manyTanks() async throws { try await walkAlone("tanks") }

    @Test func aFarm() async throws { try await walkAlone("farm") }

    @Test func projects() async throws { try await walkAlone("projects") }

    /// From signing up to the all-clear, by people alone: no step of the operator's.
    @Test func aFarmsFirstDay() async throws { try await walk("first_day", calm: "1s") }

    @Test func theInstallation() async throws { try await walkAlone("operation") }
}

/// A walk through a system of its own.
private func walk(_ name: String, calm: String = "1h") async throws {
    try await withBrowser {
        try await RunningWebApp.with(calm: calm) { try await WebAppVisit(name, in: $0).run() }
    }
}

/// A walk that plays the service itself (`Tests/Web/browser/many.py`), which takes a browser and no system.
private func walkAlone(_ name: String) async throws {
    try await withBrowser { try await WebAppVisit.alone(name) }
}

private func withBrowser(_ visit: () async throws -> WebAppVisit.Outcome) async throws {
    guard try await RunningWebApp.hasBrowser.value else {
        return withKnownIssue("There is no Chromium or no playwright; deploy/test installs both") {
            Issue.record("not tried")
        }
    }
    let outcome = try await visit()
    #expect(outcome.end == .exit(0), "\(outcome.output)")
}
