"""Browser tests: `run.py [--scripted | --live] [WORDS of the cases to run]`."""

import asyncio
import sys

import harness


async def main(arguments):
    words = [word for word in arguments if not word.startswith("--")]
    passed = failed = 0
    suites = []
    if "--live" not in arguments:
        import scripted_cases

        suites.append((scripted_cases.setting, list(harness.CASES)))
        harness.CASES.clear()
    if "--scripted" not in arguments:
        import live_cases

        suites.append((live_cases.setting, list(harness.CASES)))
    for setting, cases in suites:
        chosen = [each for each in cases if not words or any(word in each[0] for word in words)]
        more_passed, more_failed = await harness.run_cases(chosen, setting)
        passed, failed = passed + more_passed, failed + more_failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


sys.exit(asyncio.run(main(sys.argv[1:])))
