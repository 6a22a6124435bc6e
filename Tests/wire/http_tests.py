"""Files over HTTP, and who may ask for them."""

import asyncio


async def test_the_page_has_its_type_and_the_security_headers(server):
    status, fields, body = await server.get("/")
    assert status == 200 and body.startswith(b"<!doctype html>")
    assert fields["content-type"] == "text/html; charset=utf-8"
    policy = fields["content-security-policy"]
    assert "default-src 'self'" in policy and "'wasm-unsafe-eval'" in policy
    assert "unsafe-inline" not in policy
    assert fields["x-content-type-options"] == "nosniff"
    assert fields["referrer-policy"] == "no-referrer"


async def test_files_have_their_types(server):
    for path, type in {"/app.js": "text/javascript", "/lib/core.wasm": "application/wasm",
                       "/lib/types.d.ts": "text/plain", "/alias.js": "text/javascript"}.items():
        status, fields, _ = await server.get(path)
        assert status == 200 and fields["content-type"].split(";")[0] == type, path


async def test_a_known_etag_answers_not_modified(server):
    _, fields, _ = await server.get("/app.js")
    status, _, body = await server.get("/app.js", If_None_Match=fields["etag"])
    assert (status, body) == (304, b"")


async def test_ranges(server):
    for range, expected in {"bytes=2-4": b"234", "bytes=7-": b"789", "bytes=-2": b"89",
                            "bytes=5-99": b"56789"}.items():
        status, fields, body = await server.get("/app.js", Range=range)
        assert (status, body) == (206, expected), range
        assert fields["content-range"].endswith("/10")
    status, fields, _ = await server.get("/app.js", Range="bytes=10-")
    assert status == 416 and fields["content-range"] == "bytes */10"
    status, _, body = await server.get("/app.js", Range="bytes=2-4", If_Range='"other"')
    assert (status, body) == (200, b"0123456789")


async def test_head_has_the_length_and_no_body(server):
    status, fields, _ = await server.get("/app.js", method="HEAD")
    assert status == 200 and fields["content-length"] == "10"


async def test_other_methods_are_refused(server):
    status, _, _ = await server.get("/app.js", method="DELETE")
    assert status == 405


async def test_nothing_outside_the_folder_is_served(server):
    for path in ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/lib/../../secret.txt",
                 "/lib/%2e%2e/%2e%2e/secret.txt", "/out.txt", "/up/secret.txt", "/.hidden",
                 "//etc/passwd", "/lib/..%5c..%5csecret.txt", "/index.html%00.js",
                 "/%252e%252e/secret.txt"]:
        try:
            status, _, body = await server.get(path)
        except asyncio.IncompleteReadError:
            continue  # refused without an answer
        assert status in (400, 403, 404) and b"secret" not in body and b"root:" not in body, path


async def test_a_large_body_is_refused(server):
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    status, _, _ = await server.request(
        f"POST /healthz HTTP/1.1\r\n{host}Content-Length: 70000\r\n\r\n")
    assert status == 413
    status, _, _ = await server.request(
        f"POST /healthz HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello")
    assert status == 200


async def test_garbage_does_not_stop_the_server(server):
    for garbage in [b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n",
                    b"A" * 100_000 + b"\r\n\r\n"]:
        try:
            await server.request(garbage)
        except Exception:
            pass
    status, _, _ = await server.get("/healthz")
    assert status == 200


async def test_foreign_hosts_and_origins_are_refused(server):
    port = server.port
    for host in ["evil.example", f"evil.example:{port}", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}"]:
        assert (await server.get("/", host=host))[0] == 403, host
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", f"https://127.0.0.1:{port}"]:
        assert (await server.get("/", Origin=origin))[0] == 403, origin
    for name in ["127.0.0.1", "localhost", "[::1]"]:
        assert (await server.get("/", host=f"{name}:{port}", Origin=f"http://{name}:{port}"))[0] == 200


async def test_health_says_starting_while_the_page_is_served(server):
    _, _, body = await server.get("/healthz")
    assert body == b'{"status":"starting"}'
    assert (await server.get("/"))[0] == 200


test_health_says_starting_while_the_page_is_served.options = {"starts_after": 600, "stays_up": False}


async def test_health_says_ready(server):
    _, _, body = await server.get("/healthz")
    assert body == b'{"status":"ready"}'


async def test_a_server_whose_output_nobody_reads_stops_in_order(server):
    server.process._transport.get_pipe_transport(1).close()
    server.process.terminate()
    assert await asyncio.wait_for(server.process.wait(), 10) == 0


test_a_server_whose_output_nobody_reads_stops_in_order.options = {"stays_up": False}


async def test_a_connection_serves_many_requests(server):
    request = f"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for _ in range(20):
        writer.write(request.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert await reader.readexactly(10) == b"0123456789"
    writer.close()
