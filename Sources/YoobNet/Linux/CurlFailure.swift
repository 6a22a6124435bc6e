#if canImport(CCurl)
  import CCurl
  import Foundation

  /// What failures of libcurl mean.
  enum CurlFailure {
    static func error(
      _ code: CURLcode, of handle: OpaquePointer, place: String, connectTimeout: Double
    ) -> NetError {
      let text = String(cString: yoob_http_error(handle))
      let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
      switch code {
      case CURLE_URL_MALFORMAT: return .invalidURL(place, reason: reason)
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .nameNotFound(host: place)
      case CURLE_COULDNT_CONNECT:
        let number = Int32(yoob_http_errno(handle))
        return number == 0 || number == ECONNREFUSED
          ? .refused(host: place) : .failed(host: place, reason: String(cString: strerror(number)))
      case CURLE_OPERATION_TIMEDOUT:
        return .timedOut(host: place, .connecting, seconds: connectTimeout)
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
        return .tls(host: place, reason: reason)
      case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR: return .closedEarly(host: place)
      case CURLE_RECV_ERROR:
        return reason.contains("chunk")
          ? .invalidAnswer(host: place, reason: reason) : .closedEarly(host: place)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
        CURLE_HTTP2, CURLE_HTTP2_STREAM:
        return .invalidAnswer(host: place, reason: reason)
      case CURLE_OUT_OF_MEMORY:
        // What the library says of a line without end.
        return .tooLarge(.header, limit: HTTPHeadReader.limit)
      default: return .failed(host: place, reason: reason)
      }
    }
  }
#endif
