"""Engine on a Dask cluster: several machines, or local workers.

Only :meth:`DaskCluster.run` imports Dask, whose import takes most of a second.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import queue
import re
import warnings
from typing import TYPE_CHECKING, Any

from nocbench.running.engines.batch import Batch, WaitingTasks, without_outcome
from nocbench.running.engines.dask_tasks import BatchResult, carry_out, revision_of_worker
from nocbench.running.engines.engine import LOCAL, Crashed, Function, Outcome, Rejected
from nocbench.support.errors import ClusterLostError, InputError, NotComparableError, WorkerStartError
from nocbench.support.extras import require_extra
from nocbench.support.revision import identity
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

_Client = Any
_Future = Any
"""Types of Dask, which is only partly annotated."""

_ADDRESS = re.compile(r"[a-z]+://[^\s/:]+:\d+|[a-z]+://\[[^\s\]]+\]:\d+")
_CONNECT_SECONDS = 5.0
_WORKERS_SECONDS = 10.0
_ALONE_SECONDS = 300.0  # replacing a dead Dask worker takes seconds, on a busy machine a minute
_LOOK_AGAIN_SECONDS = 1.0
_CLOSE_SECONDS = 2.0
_BATCH_SECONDS = 0.2  # Dask takes a few milliseconds per batch
_BUDGET_SECONDS = 1.0
_BATCHES_PER_THREAD = 2
_HINT = (
    "start one with 'dask scheduler', and workers with 'dask worker tcp://HOST:8786 --nthreads 1 --nworkers auto', in "
    "environments with this revision of nocbench"
)


class DaskCluster:
    """See :class:`nocbench.running.engines.engine.Engine`.

    A crashing task affects no other task, as with other worker processes. If a Dask worker dies, Dask moves its tasks
    to other workers. Tasks that were on several dead workers are finally run one by one, and count as crashed if
    another worker dies.
    """

    def __init__(self, address: str, num_workers: int = 0) -> None:
        """Stores the address of a cluster to which :meth:`run` connects, or the number of workers of a local one.

        Raises:
            InputError: the address is malformed, or Dask is not installed.
        """
        if address != LOCAL and _ADDRESS.fullmatch(address) is None:
            raise InputError(
                f"'{address}': a cluster is tls://HOST:PORT or tcp://HOST:PORT of its scheduler, or '{LOCAL}'"
            )
        require_extra("cluster", f"the cluster {address}")
        self._address = address
        self._num_workers = num_workers

    @property
    def description(self) -> str:
        """Place of the cluster, in words."""
        if self._address == LOCAL:
            return f"a local Dask cluster of {plural(self._num_workers, 'worker')}"
        return f"the Dask cluster at {self._address}"

    def run(self, function: Function, tasks: Sequence[Any]) -> Generator[Outcome, None, None]:
        """Yields the outcomes in the order of arrival.

        Raises:
            InputError: no answer at the address, or no workers.
            NotComparableError: a worker has another revision of nocbench, or other versions of Dask's packages.
            ClusterLostError: the scheduler or all workers disappeared.
            WorkerStartError: worker processes do not start.
        """
        if not tasks:
            return
        with self._connected() as client:
            _require_same_versions(client)
            yield from _Run(client, self._address, function, tasks).outcomes()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[_Client]:
        import dask

        distributed: Any = importlib.import_module("distributed")
        # Silence Dask's long reports on workers and connections, since errors are reported here. Dask's import sets
        # levels, too, so this comes after it.
        for name in ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        with contextlib.ExitStack() as stack:
            stack.enter_context(dask.config.set({"distributed.comm.timeouts.connect": f"{_CONNECT_SECONDS}s"}))
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            if self._address == LOCAL:
                cluster = distributed.LocalCluster(
                    n_workers=self._num_workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address=None,
                    memory_limit=0,
                    silence_logs=logging.CRITICAL + 1,
                )
                stack.callback(_close_quietly, cluster)
                address = cluster.scheduler_address
            else:
                address = self._address
                _require_trust(address)
            try:
                client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
            except (OSError, TimeoutError, ValueError) as error:
                raise InputError(f"no Dask scheduler answers at {address} ({_first_line(error)}); {_HINT}") from None
            stack.callback(_close_quietly, client)
            try:
                client.wait_for_workers(1, timeout=_WORKERS_SECONDS)
            except TimeoutError:
                raise InputError(f"the Dask scheduler at {address} has no workers; {_HINT}") from None
            yield client


class _Run:
    def __init__(self, client: _Client, address: str, function: Function, tasks: Sequence[Any]) -> None:
        self._client = client
        self._address = address
        self._function = function
        self._waiting = WaitingTasks(tasks, batch_seconds=_BATCH_SECONDS, budget_seconds=_BUDGET_SECONDS)
        self._suspects: list[tuple[int, Any]] = []  # tasks that were on several dead workers
        self._under_way: dict[_Future, Batch] = {}
        self._answered: queue.SimpleQueue[_Future] = queue.SimpleQueue()
        self._num_threads = self._count_threads()

    def outcomes(self) -> Generator[Outcome, None, None]:
        try:
            self._hand_out()
            while self._under_way:
                future = self._next_answered()
                if future is not None:
                    outcomes = self._outcomes_of(future, self._under_way.pop(future))
                    self._hand_out()  # first, so that no worker waits for the caller
                    yield from outcomes
        finally:
            if self._under_way:
                with contextlib.suppress(Exception):
                    self._client.cancel(list(self._under_way))

    def _hand_out(self) -> None:
        while self._waiting and len(self._under_way) < _BATCHES_PER_THREAD * self._num_threads:
            self._submit(self._waiting.next_batch(_BATCHES_PER_THREAD * self._num_threads))
        if not self._under_way and self._suspects:
            self._submit(Batch([self._suspects.pop(0)], _BUDGET_SECONDS))

    def _submit(self, batch: Batch) -> None:
        future = self._client.submit(carry_out, self._function, batch, pure=False)
        self._under_way[future] = batch
        future.add_done_callback(self._answered.put)

    def _next_answered(self) -> _Future | None:
        try:
            return self._answered.get(timeout=_LOOK_AGAIN_SECONDS)
        except queue.Empty:
            if self._client.status != "running":
                raise self._lost("the connection to the scheduler broke") from None
            self._num_threads = self._count_threads()
            return None

    def _count_threads(self) -> int:
        """Returns the number of tasks that the cluster can run simultaneously, which may change during the run."""
        try:
            num_threads = int(sum(self._client.nthreads().values()))
            if not num_threads:
                self._client.wait_for_workers(1, timeout=_ALONE_SECONDS)
                num_threads = int(sum(self._client.nthreads().values()))
        except TimeoutError:
            raise self._lost("all workers are gone") from None
        except Exception as error:
            raise self._lost(f"the scheduler does not answer ({_first_line(error)})") from None
        return max(1, num_threads)

    def _outcomes_of(self, future: _Future, batch: Batch) -> list[Outcome]:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            result: BatchResult = future.result(timeout=_ALONE_SECONDS)
        except KilledWorker as error:
            if len(batch.tasks) == 1 and not self._under_way and not self._waiting:
                return [Crashed(batch.tasks[0][0], f"killed the Dask workers that ran it, at last {error.last_worker}")]
            self._suspects += batch.tasks
            return []
        except WorkerStartError:
            raise
        except (CancelledError, OSError, TimeoutError) as error:
            raise self._lost(f"the connection to the scheduler broke ({_first_line(error)})") from None
        _require_same_revision({result.worker: result.revision})
        if result.seconds:
            self._waiting.learn(len(result.outcomes), result.seconds)
        self._waiting.put_back(without_outcome(batch.tasks, result.outcomes))
        for outcome in result.outcomes:
            if isinstance(outcome, Rejected):
                self._waiting.drop_after(outcome.index)
        return result.outcomes

    def _lost(self, what: str) -> ClusterLostError:
        where = "local" if self._address == LOCAL else self._address
        return ClusterLostError(
            f"Dask cluster {where}: {what}. Once it is up again, the same command goes on with what has not finished, "
            "if it writes to a file (-o)"
        )


def _require_trust(address: str) -> None:
    """Raises InputError unless Dask's configuration matches the address, and names readable certificates."""
    import dask

    if not address.startswith("tls://"):
        if dask.config.get("distributed.comm.require-encryption", None):
            raise InputError(
                f"{address}: expected tls://HOST:PORT, since distributed.comm.require-encryption is set in Dask's "
                "configuration"
            )
        return
    for setting, is_needed in (("ca-file", True), ("client.cert", True), ("client.key", False)):
        name = f"distributed.comm.tls.{setting}"
        file = dask.config.get(name, None)
        if file is None:
            if is_needed:
                raise InputError(
                    f"{address}: expected {name} in Dask's configuration, found nothing; "
                    "docs/sweeps.md says what TLS needs"
                )
            continue
        try:
            with open(file, "rb"):  # noqa: PTH123 - as Dask opens it
                pass
        except OSError as error:
            raise InputError(f"{file}: {name} of Dask's configuration cannot be read: {error.strerror}") from None


def _require_same_versions(client: _Client) -> None:
    """Raises NotComparableError unless all workers have the revision and the versions of this process."""
    answers = client.run(revision_of_worker, on_error="return")
    failed = {address: answer for address, answer in answers.items() if isinstance(answer, BaseException)}
    if failed:
        address, error = next(iter(failed.items()))
        raise NotComparableError(f"Dask worker {address} cannot run nocbench: {type(error).__name__}: {error}")
    _require_same_revision(answers)
    versions = client.get_versions()
    mine = versions["client"]["packages"]
    others = {"the scheduler": versions["scheduler"], **versions["workers"]}
    mistakes = [
        f"{who} has {package} {theirs}, this process {mine[package]}"
        for who, versions_there in others.items()
        for package in ("python", "distributed")
        if _comparable(package, theirs := versions_there["packages"][package]) != _comparable(package, mine[package])
    ]
    if mistakes:
        raise NotComparableError("versions in the Dask cluster differ: " + "; ".join(mistakes))


def _comparable(package: str, version: str) -> str:
    return ".".join(version.split(".")[:2]) if package == "python" else version


def _require_same_revision(revisions: dict[str, str]) -> None:
    wrong = {worker: revision for worker, revision in revisions.items() if revision != identity()}
    if wrong:
        found = "; ".join(f"{worker} has {revision}" for worker, revision in wrong.items())
        raise NotComparableError(
            f"Dask workers must have the revision of nocbench that this process has, {identity()}: {found}"
        )


def _close_quietly(what: Any) -> None:  # noqa: ANN401 - client or cluster
    with contextlib.suppress(Exception):
        what.close(timeout=_CLOSE_SECONDS)


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
