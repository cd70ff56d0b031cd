import Foundation

/// The latency of single breaches on a quiet system, its parts, and the cost of the same steps alone.
struct LatencyFigures: Encodable, Sendable {
    let breaches: Int
    let quiet: Distribution
    /// The latency of each breach, divided into stages.
    let latencyStagesMs: Stages
    let floorMs: Floors
    /// The median latency, divided by the sum of the medians of the necessary steps.
    let latencyToFloor: Double

    struct Stages: Encodable, Sendable {
        let publishToReceived: Distribution
        let receivedToDecided: Distribution
        let decidedToLeased: Distribution
        let leasedToArrived: Distribution
    }

    struct Floors: Encodable, Sendable {
        let publish: Distribution
        let commit: Distribution
        let post: Distribution
    }

    /// `quiet` stands beside the latencies at other loads.
    private enum CodingKeys: String, CodingKey { case breaches, latencyStagesMs, floorMs, latencyToFloor }

    /// The commits before an alert's arrival, of the reading and of the decision. A publish comes before them and a
    /// POST after them, necessarily in that order.
    static let commitsBeforeArrival = 2.0

    init(_ breaches: [MeasuredBreach], _ floors: Floors) {
        let quiet = Distribution(breaches.map(\.latency))
        self.breaches = breaches.count
        self.quiet = quiet
        latencyStagesMs = Stages(
            publishToReceived: Distribution(breaches.map(\.stages.publishToReceived)),
            receivedToDecided: Distribution(breaches.map(\.stages.receivedToDecided)),
            decidedToLeased: Distribution(breaches.map(\.stages.decidedToLeased)),
            leasedToArrived: Distribution(breaches.map(\.stages.leasedToArrived)))
        floorMs = floors
        let floor =
            floors.publish.percentile(50) + Self.commitsBeforeArrival * floors.commit.percentile(50)
            + floors.post.percentile(50)
        latencyToFloor = (quiet.percentile(50) / floor * 100).rounded() / 100
    }

    var text: String {
        var latency = DistributionTable("Quiet system, \(breaches) single breaches (ms)")
        latency.add("publish -> arrival of the webhook", quiet)
        var stages = DistributionTable("Where it goes")
        stages.add("publish -> received by the Ingestor", latencyStagesMs.publishToReceived)
        stages.add("received -> claimed (reading committed)", latencyStagesMs.receivedToDecided)
        stages.add("claimed -> leased (decision committed)", latencyStagesMs.decidedToLeased)
        stages.add("leased -> arrived (signed, sent)", latencyStagesMs.leasedToArrived)
        var floors = DistributionTable("Floors, between the same breaches")
        floors.add("QoS 1 publish -> PUBACK", floorMs.publish)
        floors.add("one durable commit (UPDATE of a row)", floorMs.commit)
        floors.add("one POST to the receiver -> 200", floorMs.post)
        let ratio = String(format: "%.2f", latencyToFloor)
        let sum = "The median is \(ratio) times its floor: one publish, two commits, one POST."
        return [latency.text, stages.text, floors.text, sum].joined(separator: "\n\n")
    }
}
