#include "CCurl.h"

#include <stdlib.h>
#include <string.h>

struct yoob_http_transfer {
  CURL *easy;
  struct curl_slist *headers;
  yoob_http_callbacks calls;
  char error[CURL_ERROR_SIZE];
};

static int connected(void *user, char *a, char *b, int c, int d) {
  (void)a, (void)b, (void)c, (void)d;
  yoob_http_transfer *transfer = user;
  transfer->calls.on_connected(transfer->calls.context);
  return CURL_PREREQFUNC_OK;
}

static size_t header(char *bytes, size_t size, size_t count, void *user) {
  yoob_http_transfer *transfer = user;
  size_t length = size * count;
  return transfer->calls.on_header(transfer->calls.context, bytes, length) ? length : 0;
}

static size_t body(char *bytes, size_t size, size_t count, void *user) {
  yoob_http_transfer *transfer = user;
  size_t length = size * count;
  switch (transfer->calls.on_body(transfer->calls.context, bytes, length)) {
    case YOOB_HTTP_TAKEN: return length;
    case YOOB_HTTP_PAUSE: return CURL_WRITEFUNC_PAUSE;
    default: return length + 1;
  }
}

static int progress(void *user, curl_off_t a, curl_off_t received, curl_off_t b, curl_off_t sent) {
  (void)a, (void)b;
  yoob_http_transfer *transfer = user;
  transfer->calls.on_progress(transfer->calls.context, received, sent);
  return 0;
}

CURLM *yoob_http_multi(long kept, long per_host) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
  CURLM *multi = curl_multi_init();
  if (!multi) return NULL;
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, kept);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, per_host);
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  return multi;
}

// Where to, and whom to trust.
static void set_connection(yoob_http_transfer *transfer, const yoob_http_request *request) {
  CURL *easy = transfer->easy;
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
  curl_easy_setopt(easy, CURLOPT_URL, request->url);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // A name that is still looked up keeps nobody waiting.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_milliseconds);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (request->is_direct) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  if (request->authorities) {
    struct curl_blob blob = {(void *)request->authorities, request->authorities_length, CURL_BLOB_COPY};
    curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
  }
}

yoob_http_transfer *yoob_http_open(const yoob_http_request *request, yoob_http_callbacks callbacks) {
  yoob_http_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->calls = callbacks;
  CURL *easy = transfer->easy = curl_easy_init();
  if (!easy) {
    free(transfer);
    return NULL;
  }
  for (size_t i = 0; i < request->header_count; i++) {
    struct curl_slist *longer = curl_slist_append(transfer->headers, request->headers[i]);
    if (!longer) {
      yoob_http_close(transfer);
      return NULL;
    }
    transfer->headers = longer;
  }
  set_connection(transfer, request);
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  // Many requests at once to an HTTP/2 server share the connection that the first one opens.
  if (strncmp(request->url, "https:", 6) == 0) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
  if (request->body) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
  }
  if (strcmp(request->method, "HEAD") == 0)
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  else if (request->body || strcmp(request->method, "GET") != 0)
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, transfer);
  return transfer;
}

void yoob_http_close(yoob_http_transfer *transfer) {
  curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  free(transfer);
}

CURL *yoob_http_easy(yoob_http_transfer *transfer) { return transfer->easy; }

const char *yoob_http_error(yoob_http_transfer *transfer) { return transfer->error; }

long yoob_http_errno(yoob_http_transfer *transfer) {
  long number = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number);
  return number;
}

yoob_http_transfer *yoob_http_connect(const yoob_http_request *request) {
  yoob_http_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  CURL *easy = transfer->easy = curl_easy_init();
  if (!easy) {
    free(transfer);
    return NULL;
  }
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  set_connection(transfer, request);
  return transfer;
}

int yoob_http_socket(yoob_http_transfer *transfer) {
  curl_socket_t descriptor = CURL_SOCKET_BAD;
  curl_easy_getinfo(transfer->easy, CURLINFO_ACTIVESOCKET, &descriptor);
  return descriptor;
}
