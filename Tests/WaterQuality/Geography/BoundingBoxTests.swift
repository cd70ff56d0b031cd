import Testing
import WaterQuality

@Suite struct BoundingBoxTests {
    @Test func `a box has four numbers, or six with heights, which are left aside`() throws {
        let box = try BoundingBox([5, 48, 20, 70])
        #expect(box.numbers == [5, 48, 20, 70])
        #expect(try BoundingBox([5, 48, -11_000, 20, 70, 9_000]) == box)
    }

    @Test(
        arguments: [
            ([], BoundingBox.Fault.count), ([1, 2, 3], .count), ([1, 2, 3, 4, 5], .count),
            ([1, 2, 3, 4, 5, 6, 7], .count),
            ([-180.1, 0, 0, 1], .beyondEarth), ([0, 0, 181, 1], .beyondEarth), ([0, -91, 1, 1], .beyondEarth),
            ([0, 0, 1, 90.5], .beyondEarth), ([.nan, 0, 1, 1], .beyondEarth),
            ([0, 0, -.infinity, 1, 1, 0], .beyondEarth),
            ([0, 2, 1, 1], .order), ([0, 0, 5, 1, 1, 4], .order),
        ] as [([Double], BoundingBox.Fault)])
    func `what is no box says why`(_ numbers: [Double], _ fault: BoundingBox.Fault) {
        #expect(throws: fault) { try BoundingBox(numbers) }
    }

    @Test func `edges belong to a box, and one may cross the meridian of 180 degrees`() throws {
        let box = try BoundingBox([5, 48, 20, 70])
        #expect(box.contains(latitude: 48, longitude: 5) && box.contains(latitude: 70, longitude: 20))
        #expect(!box.contains(latitude: 47.9, longitude: 5) && !box.contains(latitude: 50, longitude: 20.1))
        let pacific = try BoundingBox([170, -20, -170, 20])
        for longitude in [170.0, 179.9, 180, -180, -175, -170] {
            #expect(pacific.contains(latitude: 0, longitude: longitude), "\(longitude)")
        }
        for longitude in [169.9, 0, -169.9] { #expect(!pacific.contains(latitude: 0, longitude: longitude)) }
    }
}
