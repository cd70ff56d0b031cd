import Hummingbird
import JWTKit

package enum GatewayPlaceholder {}
