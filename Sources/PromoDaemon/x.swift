import AsyncHTTPClient
import TOMLKit
import NIOPosix
import CSystemd
