"""Runs the tests of this folder against a server with a scripted agent.

run.py SERVER [PART-OF-A-TEST'S-NAME ...]; ends with "N passed, M failed".
"""

import asyncio
import inspect
import sys
import traceback

import client_tests
import gemini_tests
import http_tests
import openai_tests
import socket_tests
import token_tests
from harness import Server


async def run(test, program):
    options = getattr(test, "options", {})
    async with Server(program, **options) as server:
        await asyncio.wait_for(test(server), 60)


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    for module in (client_tests, gemini_tests, http_tests, openai_tests, socket_tests, token_tests):
        for name, test in inspect.getmembers(module, inspect.iscoroutinefunction):
            if not name.startswith("test_") or (wanted and not any(w in name for w in wanted)):
                continue
            try:
                asyncio.run(run(test, program))
                passed += 1
            except Exception:
                failed += 1
                print(f"FAILED {name}", file=sys.stderr)
                traceback.print_exc()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
