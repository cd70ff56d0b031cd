import Postgres
import TestSupport
import WaterQuality

@testable import Store

/// Kim's device, and the people invited to it.
struct SharingScene: Sendable {
    let fixture: SchemaFixture
    let kim: Account.ID
    let device: DeviceKey

    static func with(_ body: @Sendable (SharingScene) async throws -> Void) async throws {
        try await SchemaFixture.with { fixture in
            let kim = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: kim)
            try await body(SharingScene(fixture: fixture, kim: kim, device: device))
        }
    }

    func invite(
        _ token: UInt8, by account: Account.ID? = nil, for lifetime: Duration = .seconds(600),
        readings: DeviceInvitation.Readings = .sinceJoining
    ) async throws -> DeviceInvitation? {
        try await fixture.owner.execute(
            AddDeviceInvitation(
                device: device, account: account ?? kim, tokenHash: hash(token), lifetime: lifetime,
                readings: readings)
        ).first
    }

    func join(_ token: UInt8, _ account: Account.ID) async throws -> JoinDevice.Outcome {
        try await fixture.owner.execute(JoinDevice(tokenHash: hash(token), account: account))[0].outcome
    }

    func unlink(_ account: Account.ID) async throws -> Bool {
        try await fixture.owner.execute(unlinking(account))[0]
    }

    func unlinking(_ account: Account.ID) -> UnlinkDevice {
        UnlinkDevice(
            device: device, account: account,
            claimCode: StoredClaimCode(hash: hash(255), keyID: SchemaFixture.keyID))
    }

    func hash(_ token: UInt8) -> [UInt8] { Array(repeating: token, count: 32) }

    @discardableResult func sql(_ text: String) async throws -> String { try await fixture.database.sql(text) }
}
