// libcurl as Swift can call it: transfers of a multi handle, without variadic functions.
#ifndef YOOB_CCURL_H
#define YOOB_CCURL_H
#include <curl/curl.h>
#include <stddef.h>

// What a body callback answers.
enum { YOOB_HTTP_TAKEN = 0, YOOB_HTTP_PAUSE = 1, YOOB_HTTP_STOP = 2 };

typedef struct {
  void *context;
  // Called once, when the connection stands and the request is about to be sent.
  void (*on_connected)(void *context);
  // A line of a head or of trailers, its line break included; returning 0 ends the transfer.
  int (*on_header)(void *context, const char *bytes, size_t length);
  // A piece of the body; one of the values above. A piece that pauses is offered again.
  int (*on_body)(void *context, const char *bytes, size_t length);
  // Bytes received and sent until now; called a few times a second.
  void (*on_progress)(void *context, int64_t received, int64_t sent);
} yoob_http_callbacks;

typedef struct {
  const char *url;
  const char *method;
  // Lines such as "Content-Type: application/json".
  const char *const *headers;
  size_t header_count;
  // NULL sends none; it is copied.
  const char *body;
  size_t body_length;
  long connect_timeout_milliseconds;
  // Certificates in PEM form that count, instead of the system's; NULL for the system's. Copied.
  const char *authorities;
  size_t authorities_length;
  // Whether settings of the environment about proxies are left aside.
  int is_direct;
} yoob_http_request;

typedef struct yoob_http_transfer yoob_http_transfer;

// A multi handle that keeps `kept` idle connections and opens at most `per_host` to one host;
// 0 for any number.
CURLM *yoob_http_multi(long kept, long per_host);

// NULL when there is no memory.
yoob_http_transfer *yoob_http_open(const yoob_http_request *request, yoob_http_callbacks callbacks);
// Only a connection of its own to the host of `url`, with TLS for https: bytes then pass by
// curl_easy_send and curl_easy_recv. NULL when there is no memory.
yoob_http_transfer *yoob_http_connect(const yoob_http_request *request);
// The socket of a connection that stands.
int yoob_http_socket(yoob_http_transfer *transfer);
void yoob_http_close(yoob_http_transfer *transfer);
CURL *yoob_http_easy(yoob_http_transfer *transfer);
// What libcurl said of a failure; empty when it said nothing.
const char *yoob_http_error(yoob_http_transfer *transfer);
// The system's error number of a connection that failed; 0 without one.
long yoob_http_errno(yoob_http_transfer *transfer);
#endif
