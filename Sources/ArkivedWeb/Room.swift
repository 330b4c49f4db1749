import Hummingbird
import Mustache
import Crypto
import CMark
let r = PackageResources.app_css
let q = PackageResources.a_mustache
