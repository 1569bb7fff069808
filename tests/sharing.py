"""How the workers of a run share the tests: which tests stay together in one worker, and which begin first."""

from xdist.scheduler.loadscope import LoadScopeScheduling

HALVES = {"test_live.py", "test_clock_and_display.py", "test_calls.py", "test_journey.py"}
"""The files of one half of the browser tests; the others are the second half. Each half has one Chromium."""
TOGETHER = (
    "tests/postgresql/",
    "tests/rules/engine/",
    "tests/rules/test_standby.py",
    "tests/config/test_connections.py",
    "tests/judging/test_servers_in_trouble.py",
    "tests/judging/keeping/test_snapshots_beside.py",
    "tests/upgrades/",
    "tests/test_words.py",
)
"""Files whose tests share something that takes long to prepare, or are too short to be handed out one by one."""


def group(nodeid: str) -> str:
    """Return the name of the tests that one worker runs together with this one."""
    file = nodeid.partition("::")[0]
    if file.startswith("tests/browser/"):
        return f"browser {file.rpartition('/')[2] in HALVES}"
    return file if file.startswith(TOGETHER) else nodeid


def rank(nodeid: str) -> int:
    """Return when a test begins: browser tests first, as they mostly wait, and those that run alone last."""
    return 0 if nodeid.startswith("tests/browser/") else 1 if nodeid.startswith(TOGETHER) else 2


class Sharing(LoadScopeScheduling):
    """Hand out one group of tests after another, in the order in which they were collected."""

    def __init__(self, config, log) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)

    def _pending_of(self, workload) -> int:
        """Return how many tests are left, and forget finished groups: otherwise every test counts all earlier ones."""
        for name in [name for name, tests in workload.items() if all(tests.values())]:
            del workload[name]
        return super()._pending_of(workload)
