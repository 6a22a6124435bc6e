#include "CCurl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  void *context;
  yoob_http_piece on_piece;
  yoob_http_alive is_alive;
} callbacks;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

static size_t piece(char *bytes, size_t size, size_t count, void *user) {
  callbacks *calls = user;
  size_t length = size * count;
  return calls->on_piece(calls->context, bytes, length) ? length : 0;
}

static int progress(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  callbacks *calls = user;
  return calls->is_alive(calls->context) ? 0 : 1;
}

yoob_http_result yoob_http_perform(const yoob_http_request *request, void *context,
                                   yoob_http_piece on_piece, yoob_http_alive is_alive) {
  yoob_http_result result = {0};
  callbacks calls = {context, on_piece, is_alive};
  struct curl_slist *headers = NULL;
  pthread_once(&once, start);
  CURL *curl = curl_easy_init();
  if (!curl) {
    result.code = CURLE_FAILED_INIT;
    snprintf(result.message, sizeof result.message, "libcurl did not start");
    return result;
  }
  for (size_t i = 0; i < request->header_count; i++) {
    struct curl_slist *longer = curl_slist_append(headers, request->headers[i]);
    if (longer) headers = longer;
  }
  curl_easy_setopt(curl, CURLOPT_URL, request->url);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, request->connect_timeout_seconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, request->idle_timeout_seconds);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, piece);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &calls);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &calls);
  if (request->body) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)request->body_length);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
  }
  CURLcode code = curl_easy_perform(curl);
  result.code = (int)code;
  snprintf(result.message, sizeof result.message, "%s", curl_easy_strerror(code));
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &result.status);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return result;
}
