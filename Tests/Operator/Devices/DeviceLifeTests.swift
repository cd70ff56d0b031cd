import Foundation
import TestSupport
import Testing

@testable import Operator

/// The life of a device as operators see it.
@Suite struct DeviceLifeTests {
    @Test func whatIsKnownHasALine() async throws {
        try await Instance.with { instance in
            try await instance.succeed(instance.aqua("device", "add", instance.device))
            let none = try await instance.succeed(instance.aqua("device", "life", instance.device))
            #expect(none.output == "\(instance.device) has said nothing of itself.\n")
            try await instance.database.sql(
                """
                INSERT INTO device_life (slot, device_id, family, version, battery, battery_at, signal, signal_at, reset, noted_at)
                    SELECT slot, device_id, 'tasmota', '14.2.0(tasmota32)', 66, now(), -70, now(), 'Power On', now() FROM device;
                INSERT INTO device_life_day (slot, device_id, day, battery, restarts, noted_at)
                    SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date - n, 66 + 2 * n, 5, now() FROM device, generate_series(0, 9) n
                """)
            let shown = try await instance.succeed(instance.aqua("device", "life", instance.device))
            for line in [
                "tasmota 14.2.0(tasmota32)", "66 %, lasts about 33 days", "-70 dBm", "Power On", "about 5 a day",
            ] { #expect(shown.output.contains(line), "\(shown.output)") }
            #expect(!shown.output.contains("link quality"), "nothing was said of it")
            let json = try await instance.succeed(instance.aqua("device", "life", instance.device, "--json"))
            #expect(json.output.contains(#""daysLeft" : 33"#) && json.output.contains(#""restartsADay" : 5"#))
            #expect(await instance.aqua("device", "life", "nobody").code == 1)
        }
    }
}
