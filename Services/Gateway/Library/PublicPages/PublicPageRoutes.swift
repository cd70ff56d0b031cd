import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Routes by which owners show a device or a project to everybody, and withdraw that.
enum PublicPageRoutes {
    static let all =
        [showOfDevice, publishDevice, withdrawDevice].forProjects() + [showOfProject, publishProject, withdrawProject]

    private struct Shown: Sendable {
        var page: OwnPage?
        var address: String?
    }

    private static let tank = Output<OwnPage.Tank>.object(
        "PageTank", "A device that a page shows.",
        [
            .member("device", .text, "The device's id.", example: "tank-1") { $0.device.text },
            .member("title", .text, "What readers see.", example: "Koi pond") { $0.title },
        ])

    private static let page = Output<(OwnPage, String?)>.object(
        "OwnPublicPage", "A page as its owner chose it.",
        [
            .member("title", .text, "What readers see.", example: "Koi pond") { $0.0.title },
            .member(
                "parameters", .list(of: .choice(Parameter.Name.self)), "The parameters that are shown.",
                example: ["temperature"]
            ) { $0.0.parameters.parameters.map(Parameter.Name.init) },
            .member("days", .integer, "The days of the graphs.", example: 7) { Int($0.0.days) },
            .member("limits", .boolean, "Whether it shows if a value is within the limits.") { $0.0.showsState },
            .member("tanks", .list(of: tank), "The devices that are shown.") { $0.0.tanks },
            .member("publishedAt", .timestamp, "Since when it is there.") { $0.0.publishedAt },
            .member(
                "address", .optional(of: .text),
                "Whoever has it reads the page. Null: it cannot be shown any more, since the key of before is gone; a new one can be made.",
                example: "https://water.example/public#aqv_0000000000000000000000000000000000000000000000000"
            ) { $0.1 },
        ])

    private static let output = Output<Shown>.object(
        "Publication", "What everybody may read.",
        [
            .member("page", .optional(of: page), "The page; null: nothing is shown.") { shown in
                shown.page.map { ($0, shown.address) }
            }
        ])

    private static let text = """
        Whoever has the address reads it, without signing in: values, whether they are within limits if that is chosen, and graphs, below your own \
        words. Nothing of you, the device's name or its place is shown. Caches keep it for a minute at most after it was withdrawn.
        """

    private static let showOfDevice = Route<Caller>(
        .get, "/devices/{device}/public", id: "showPublicPage", tag: DeviceRoutes.tag, access: .session,
        "Show what everybody may read of a device",
        inputs: [DeviceInputs.device], answers: .json(.ok, output), problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let device = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, account in
            _ = try transaction.ownDevice(device)
            return .value(try shown(caller, transaction, account, device))
        }
    }

    private static let publishDevice = Route<Caller>(
        .put, "/devices/{device}/public", id: "publishDevice", tag: DeviceRoutes.tag, access: .fresh,
        "Show a device to everybody", text: text + " It ends when the device is given up.",
        inputs: [DeviceInputs.device] + PageInputs.ofDevice, answers: .json(.ok, output),
        problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let device = inputs[DeviceInputs.device]
        let wish = try PageInputs.wish(inputs, of: device)
        return try await caller.scope.transaction { transaction, account in
            _ = try transaction.ownDevice(device)
            return .value(try publish(caller, transaction, account, wish, at: device))
        }
    }

    private static let withdrawDevice = Route<Caller>(
        .delete, "/devices/{device}/public", id: "withdrawDevicePage", tag: DeviceRoutes.tag, access: .session,
        "Show a device to nobody else any more",
        inputs: [DeviceInputs.device], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let device = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            _ = try transaction.ownDevice(device)
            guard try transaction.execute(WithdrawPage(of: device))[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }

    private static let showOfProject = Route<Caller>(
        .get, "/projects/{project}/public", id: "showProjectPage", tag: ProjectRoutes.tag, access: .session,
        "Show what everybody may read of a project", text: "For its owners and administrators.",
        inputs: [ProjectInputs.project], answers: .json(.ok, output), problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        try await caller.scope.acting(for: inputs[ProjectInputs.project]).transaction { transaction, account in
            .value(try shown(caller, transaction, account, nil))
        }
    }

    private static let publishProject = Route<Caller>(
        .put, "/projects/{project}/public", id: "publishProject", tag: ProjectRoutes.tag, access: .fresh,
        "Show tanks of a project to everybody",
        text: text
            + " For its owners and administrators; tanks times parameters are \(PublicPage.mostGraphs) at most. A device that leaves the project leaves the page.",
        inputs: [ProjectInputs.project] + PageInputs.ofProject, answers: .json(.ok, output),
        problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let wish = try PageInputs.projectWish(inputs)
        return try await caller.scope.acting(for: inputs[ProjectInputs.project]).transaction { transaction, account in
            .value(try publish(caller, transaction, account, wish, at: nil))
        }
    }

    private static let withdrawProject = Route<Caller>(
        .delete, "/projects/{project}/public", id: "withdrawProjectPage", tag: ProjectRoutes.tag, access: .session,
        "Show a project to nobody else any more",
        inputs: [ProjectInputs.project], answers: .nothing, problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        try await caller.scope.acting(for: inputs[ProjectInputs.project]).transaction { transaction, _ in
            guard try transaction.execute(WithdrawPage(of: nil))[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }

    /// - Parameter device: The device of the page; `nil` for the page of many.
    private static func shown(
        _ caller: Caller, _ transaction: PostgresTransaction, _ account: Account.ID, _ device: Device.HardwareID?
    ) throws -> Shown {
        guard let page = try transaction.execute(FindOwnPage(of: account, at: device)).first else { return Shown() }
        let services = caller.scope.services
        let opened = try? services.secretKeys.renewed().open(
            page.sealedToken, for: .publicPage(of: account.rawValue)
        ).secret
        return Shown(
            page: page, address: opened.map { "\(services.origin.text)/public#\(String(decoding: $0, as: UTF8.self))" })
    }

    private static func publish(
        _ caller: Caller, _ transaction: PostgresTransaction, _ account: Account.ID, _ wish: PageWish,
        at device: Device.HardwareID?
    ) throws -> Shown {
        let token = PublicPageToken.generate()
        let sealed = try SealedSecret.seal(
            Array(token.text.utf8), with: caller.scope.services.secretKeys.renewed().newest,
            for: .publicPage(of: account.rawValue))
        let publish = PublishPage(isOfMany: device == nil, page: wish, tokenHash: token.hash, sealedToken: sealed)
        switch try transaction.execute(publish)[0] {
        case .published: return try shown(caller, transaction, account, device)
        case .notOwn where device == nil: throw PageInputs.notOwn
        case .notOwn, .notProject: throw Problem(.notFound)
        }
    }
}
