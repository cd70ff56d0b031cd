import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of a project's devices beside those of everybody's: one moves in, and a member's limits follow the project's.
enum ProjectDeviceRoutes {
    static let all = [move, follow]

    private static let device = Input.field("device", .hardwareID, "The id of a device that the person owns.")

    private static let move = Route<Caller>(
        .post, "/projects/{project}/devices", id: "moveDevice", tag: ProjectRoutes.tag, access: .fresh,
        "Move a device into a project",
        text: """
            For its owners and administrators: a device of the person's becomes the project's, with its tank, journal, care, history and display. The \
            person goes on as a member with the limits that they had, which are the project's from then on; open invitations to the device end. A device \
            that is nobody's is linked with the header Aqua-Project.
            """,
        inputs: [ProjectInputs.project, device], answers: .nothing,
        problems: [.notFound, .administratorsOnly, .tooManyDevices]
    ) { caller, inputs in
        let (project, id) = (inputs[ProjectInputs.project], inputs[device])
        return try await caller.scope.transaction { transaction, _ in
            _ = try transaction.project(project)
            // Not locked: the function locks the slot before the ownership, as engines do.
            guard let found = try transaction.execute(FindPersonDevice(id)).first else {
                throw Problem(device, .notOwnDevice)
            }
            switch try transaction.execute(MoveDevice(device: found.key, project: project))[0] {
            case .done: return .nothing
            case .unknown: throw Problem(.notFound)
            case .refused: throw Problem(.administratorsOnly)
            case .notOwn: throw Problem(device, .notOwnDevice)
            case .full: throw Problem(.tooManyDevices)
            }
        }
    }

    private static let parameter = Input.path("parameter", .choice(Parameter.Name.self), "The name of the parameter.")

    private static let follow = Route<Caller>(
        .put, "/devices/{device}/parameters/{parameter}/following", id: "followProject", tag: ParameterRoutes.tag,
        access: .write, "Have limits as the project has them",
        text: "The person's limits of the parameter change with the project's again, until they set their own.",
        inputs: [DeviceInputs.device, parameter], answers: .nothing, problems: [.notFound, .notOfProject]
    ) { caller, inputs in
        let (id, parameter) = (inputs[DeviceInputs.device], inputs[parameter].parameter)
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id).key
            guard try transaction.execute(FollowProject(device: device, parameter: parameter))[0] else {
                throw Problem(.notOfProject)
            }
            return .nothing
        }
    }
}
