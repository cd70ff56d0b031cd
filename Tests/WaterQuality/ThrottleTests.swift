import Instants
import Testing
import WaterQuality

@Suite struct ThrottleTests {
    let event = Timestamp(unixSeconds: Int64(1_777_636_800))
    let alert = Alert.Reference.stored(Alert.ID(rawValue: 7))
    var decided: Timestamp { event + .seconds(5) }
    var throttle: Throttle { Throttle(runsFrom: event, pending: alert) }

    @Test func aPromptAcceptanceKeepsTheCharge() {
        let accepted = throttle.settled(
            alert: alert, event: event, decidedAt: decided, firstAcceptance: decided + .seconds(60), anyPending: false)
        #expect(accepted == Throttle(runsFrom: event, pending: nil))
    }

    @Test func aLateAcceptanceDatesItAnew() {
        let late = decided + .seconds(61)
        #expect(
            throttle.settled(alert: alert, event: event, decidedAt: decided, firstAcceptance: late, anyPending: false)
                == Throttle(runsFrom: event + .seconds(61), pending: nil))
        // Other deliveries are pending: the charge stays, and runs from the acceptance.
        #expect(
            throttle.settled(alert: alert, event: event, decidedAt: decided, firstAcceptance: late, anyPending: true)
                == Throttle(runsFrom: event + .seconds(61), pending: alert))
        // The ends of the other deliveries change nothing more.
        let redated = Throttle(runsFrom: event + .seconds(61), pending: alert)
        #expect(
            redated.settled(alert: alert, event: event, decidedAt: decided, firstAcceptance: late, anyPending: false)
                == Throttle(runsFrom: event + .seconds(61), pending: nil))
    }

    @Test func theSideOfWhatWasToldLastIsThatOfAKindWithSides() {
        let later = Throttle(runsFrom: event + .seconds(1), pending: nil)
        #expect(Throttles(low: later, high: throttle).latestSide(of: Alert.Kind.byHand.rules) == .low)
        #expect(Throttles(low: throttle, high: later).latestSide(of: Alert.Kind.byHand.rules) == .high)
        #expect(Throttles(high: later).latestSide(of: Alert.Kind.byHand.rules) == .high)
        #expect(Throttles.none.latestSide(of: Alert.Kind.byHand.rules) == nil)
        #expect(Throttles(later).latestSide(of: Alert.Kind.fault.rules) == nil, "its only value says nothing of a side")
    }

    /// The device's clock is nine hours behind or four minutes ahead. The interval stays half an hour.
    @Test(arguments: [-9 * 3_600, 240]) func aWrongClockChangesNoInterval(ahead: Int) {
        let event = decided + .seconds(ahead)
        let settled = Throttle(runsFrom: event, pending: alert).settled(
            alert: alert, event: event, decidedAt: decided, firstAcceptance: decided + .seconds(600), anyPending: false)
        #expect(settled?.runsFrom == event + .seconds(600))
    }

    @Test func nothingAcceptedRefunds() {
        #expect(
            throttle.settled(alert: alert, event: event, decidedAt: decided, firstAcceptance: nil, anyPending: false)
                == nil)
        #expect(
            throttle.settled(alert: alert, event: event, decidedAt: decided, firstAcceptance: nil, anyPending: true)
                == throttle)
    }

    @Test func newsOfAnotherAlertChangesNothing() {
        let other = Alert.Reference.stored(Alert.ID(rawValue: 6))
        #expect(
            throttle.settled(alert: other, event: event, decidedAt: decided, firstAcceptance: nil, anyPending: false)
                == throttle)
        let settled = Throttle(runsFrom: event, pending: nil)
        #expect(
            settled.settled(alert: alert, event: event, decidedAt: decided, firstAcceptance: nil, anyPending: false)
                == settled)
    }

    @Test func freeFromTheIntervalOn() {
        let settled = Throttle(runsFrom: event, pending: nil)
        let interval = Duration.seconds(1800)
        #expect(settled.isFree(at: event + interval, interval: interval))
        #expect(!settled.isFree(at: event + interval - .microseconds(1), interval: interval))
        #expect(!settled.isFree(at: event - .seconds(3600), interval: interval))
        #expect(throttle.isFree(at: event + interval, interval: interval), "a pending alert does not prolong it")
    }
}
