// libcurl as Swift can call it: a request whose answer comes in pieces, without variadic functions.
#ifndef YOOB_CCURL_H
#define YOOB_CCURL_H
#include <stddef.h>

typedef struct {
  const char *url;
  // Lines such as "Content-Type: application/json".
  const char *const *headers;
  size_t header_count;
  // A body makes the request a POST; without one it is a GET.
  const char *body;
  size_t body_length;
  long connect_timeout_seconds;
  // The request fails when nothing arrives for so long.
  long idle_timeout_seconds;
} yoob_http_request;

typedef struct {
  // HTTP status; 0 when no answer came.
  long status;
  // 0, or libcurl's code.
  int code;
  // libcurl's words for the code.
  char message[256];
} yoob_http_result;

// Called for each piece of the answer's body; returning 0 ends the request.
typedef int (*yoob_http_piece)(void *context, const char *bytes, size_t length);
// Called a few times a second; returning 0 ends the request.
typedef int (*yoob_http_alive)(void *context);

// Runs a request to its end on the calling thread. http and https only, no redirects.
yoob_http_result yoob_http_perform(const yoob_http_request *request, void *context,
                                   yoob_http_piece on_piece, yoob_http_alive is_alive);
#endif
