import HTTPTypes
import Routes

extension CleanImage {
    /// The problems of files that are not taken.
    static let problems: [ProblemType] = [.imageType, .imageAnimated, .imageBroken, .imageTooManyPixels]

    /// - Throws: `Problem` for a file that is not taken.
    init(body: [UInt8]) throws(Problem) {
        do throws(ImageFault) {
            try self.init(body)
        } catch {
            throw Problem(error.problem)
        }
    }
}

extension FileBody {
    /// A picture of at most so many bytes.
    static func image(most: Int) -> FileBody {
        FileBody(ImageType.allCases.map(\.rawValue), most: most, refusal: .imageType)
    }
}

extension ImageFault {
    fileprivate var problem: ProblemType {
        switch self {
        case .otherType: .imageType
        case .animated: .imageAnimated
        case .broken: .imageBroken
        case .tooManyPixels: .imageTooManyPixels
        }
    }
}

extension ProblemType {
    static let imageType = ProblemType("image-type", .unsupportedMediaType)
    static let imageAnimated = ProblemType("image-animated", .unprocessableContent)
    static let imageBroken = ProblemType("image-broken", .unprocessableContent)
    static let imageTooManyPixels = ProblemType("image-too-many-pixels", .unprocessableContent)
}
