import CLibCurl
import Glibc

/// A request in progress in libcurl, and its response so far.
///
/// libcurl's callbacks hold it unretained: the loop keeps it for as long as the handle is in use.
final class Transfer {
    /// The maximum size of the response's head in bytes, including interim responses.
    private static let headLimit = 65_536

    let easy: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let bodyLimit: Int
    private let admission: AddressAdmission?
    private var isForbidden = false
    private var body: [UInt8] = []
    private var headBytes = 0
    private var isTooLarge = false

    /// Prepares a request with a total timeout of `milliseconds`.
    init(_ request: OutboundJob, userAgent: String, milliseconds: Int64) {
        guard let easy = curl_easy_init() else { preconditionFailure("libcurl has no memory for a request") }
        self.easy = easy
        self.bodyLimit = request.bodyLimit
        self.admission = request.admission
        self.bound(request, milliseconds)
        self.text(CURLOPT_URL, request.address)
        self.text(CURLOPT_USERAGENT, userAgent)
        // Compressed responses are requested. The body limit counts decoded bytes.
        self.text(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        // Otherwise a large form would wait for a `100 Continue` response.
        self.header("Expect:")
        for header in request.headers { self.header("\(header.name): \(header.value)") }
        self.pointer(CURLOPT_HTTPHEADER, self.headers)
        switch request.method {
        case .get: self.number(CURLOPT_HTTPGET, 1)
        case .post(let form):
            self.number(CURLOPT_POSTFIELDSIZE, form.utf8.count)
            self.text(CURLOPT_COPYPOSTFIELDS, form)
        case .postBytes(var body):
            self.number(CURLOPT_POSTFIELDSIZE, body.count)
            body.withUnsafeMutableBytes { self.pointer(CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
            if body.isEmpty { self.text(CURLOPT_COPYPOSTFIELDS, "") }
        }
        let this = Unmanaged.passUnretained(self).toOpaque()
        muster_curl_set_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody)
        self.pointer(CURLOPT_WRITEDATA, this)
        muster_curl_set_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeader)
        self.pointer(CURLOPT_HEADERDATA, this)
        self.pointer(CURLOPT_PRIVATE, this)
        if self.admission != nil {
            muster_curl_set_socket_callback(easy, openSocket)
            self.pointer(CURLOPT_OPENSOCKETDATA, this)
        }
    }

    deinit {
        curl_easy_cleanup(self.easy)
        curl_slist_free_all(self.headers)
    }

    /// Sets the options that restrict a request to its URL and its timeout.
    private func bound(_ request: OutboundJob, _ milliseconds: Int64) {
        self.text(CURLOPT_PROTOCOLS_STR, "http,https")
        self.number(CURLOPT_FOLLOWLOCATION, 0)
        self.number(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        self.number(CURLOPT_NETRC, 0)
        // Empty instead of unset, so that libcurl ignores the proxy variables of the environment.
        self.text(CURLOPT_PROXY, "")
        self.number(CURLOPT_SSL_VERIFYPEER, 1)
        self.number(CURLOPT_SSL_VERIFYHOST, 2)
        // No signals in a process with threads, and no wait for the thread of a DNS lookup that timed out.
        self.number(CURLOPT_NOSIGNAL, 1)
        self.number(CURLOPT_QUICK_EXIT, 1)
        self.number(CURLOPT_CONNECTTIMEOUT_MS, Int(min(request.connectTimeout, milliseconds)))
        self.number(CURLOPT_TIMEOUT_MS, Int(milliseconds))
    }

    /// Opens a socket for an address of the host; nil when the address is not admitted.
    fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> CInt? {
        let isAdmitted = withUnsafePointer(to: &address.pointee.addr) { start in
            // libcurl's structure is longer than the declared one for IPv6.
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(address.pointee.addrlen))
            return self.admission?.admits(bytes, family: address.pointee.family) == true
        }
        guard isAdmitted else {
            self.isForbidden = true
            return nil
        }
        return socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    }

    // MARK: Response

    /// Counts bytes of the response's head.
    ///
    /// - Returns: whether the transfer may go on.
    fileprivate func receiveHead(_ count: Int) -> Bool {
        self.headBytes += count
        if self.headBytes > Self.headLimit { self.isTooLarge = true }
        return !self.isTooLarge
    }

    /// Appends decoded bytes of the response's body.
    ///
    /// - Returns: whether the transfer may go on.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard self.body.count + bytes.count <= self.bodyLimit else {
            self.isTooLarge = true
            return false
        }
        self.body.append(contentsOf: bytes)
        return true
    }

    /// Returns the result after libcurl has finished.
    func result(_ code: CURLcode) -> Result<OutboundResponse, OutboundError> {
        guard code == CURLE_OK else {
            let message = String(cString: curl_easy_strerror(code))
            if self.isForbidden, code == CURLE_COULDNT_CONNECT {
                return .failure(OutboundError(.forbidden, "the host has no address that may be connected to"))
            }
            if self.isTooLarge { return .failure(OutboundError(.tooLarge, "the response is too long")) }
            return .failure(OutboundError(code == CURLE_OPERATION_TIMEDOUT ? .timeout : .unreachable, message))
        }
        var status = 0
        muster_curl_get_number(self.easy, CURLINFO_RESPONSE_CODE, &status)
        var contentType: UnsafeMutablePointer<CChar>?
        muster_curl_get_text(self.easy, CURLINFO_CONTENT_TYPE, &contentType)
        var retryAfter = curl_off_t(0)
        muster_curl_get_offset(self.easy, CURLINFO_RETRY_AFTER, &retryAfter)
        return .success(
            OutboundResponse(
                status: status,
                contentType: contentType.map { String(cString: $0) },
                body: self.body,
                retryAfter: retryAfter > 0 ? Int64(min(retryAfter, 86_400)) * 1_000 : nil,
                maxAge: self.maxAge,
                date: self.received("date").flatMap { text in
                    let seconds = curl_getdate(text, nil)
                    return seconds < 0 ? nil : Int64(seconds)
                }
            )
        )
    }

    /// The first value of a header of the response; nil when it is missing.
    private func received(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(self.easy, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header
        else { return nil }
        return String(cString: header.pointee.value)
    }

    /// The seconds of `max-age` in `Cache-Control`.
    private var maxAge: Int64? {
        for directive in (self.received("cache-control") ?? "").split(separator: ",") {
            let parts = directive.drop { $0 == " " }.lowercased().split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "max-age" else { continue }
            return Int64(parts[1].filter { $0 != "\"" && $0 != " " })
        }
        return nil
    }

    // MARK: Options

    private func number(_ option: CURLoption, _ value: Int) {
        self.check(muster_curl_set_number(self.easy, option, value))
    }

    /// Sets a string, which libcurl copies.
    private func text(_ option: CURLoption, _ value: String) {
        self.check(muster_curl_set_text(self.easy, option, value))
    }

    private func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
        self.check(muster_curl_set_pointer(self.easy, option, value))
    }

    private func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "this libcurl lacks an option that guards requests")
    }

    private func header(_ line: String) {
        // A control character in a configured name or secret must not start another header line.
        guard !line.utf8.contains(where: { $0 < 0x20 }), let longer = curl_slist_append(self.headers, line) else {
            return
        }
        self.headers = longer
    }
}

@available(*, unavailable)
extension Transfer: Sendable {}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receiveHead(size * count) ? size * count : 0
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return -1 }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().open(address) ?? -1
}
