"""A real Neo4j server for tests: resolved once from Maven Central into a cache, run on a free port.

Neo4j Community is a server beside the tests, never a dependency of the package.
"""

import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import neo4j
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from maven import SHORT_LIVED, jars
from ports import free_port

POM = Path(__file__).with_name("neo4j.xml")
USER, PASSWORD = "neo4j", "for-tests-only"
_SECONDS_TO_START = 300
_FLAGS = (
    "-Xms256m",
    "-Xmx512m",
    *SHORT_LIVED,
    # Else all that is planned does not fit, and is thrown away and compiled again all the time.
    "-XX:ReservedCodeCacheSize=256m",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
)
# However the tests end, killed perhaps: where util-linux is, as it is on most machines with Linux.
_ENDS_WITH_TESTS = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
_SETTINGS = {
    "server.http.enabled": "false",
    "server.https.enabled": "false",
    "server.memory.pagecache.size": "128m",
    "dbms.security.auth_enabled": "true",
    "dbms.usage_report.enabled": "false",
    "db.tx_log.rotation.retention_policy": "keep_none",
    "db.tx_log.preallocate": "false",
    # Tests empty the database all the time, which is no reason to plan every query again.
    "dbms.cypher.min_replan_interval": "1h",
    # Nor is it that a list has one item here and two there.
    "internal.cypher.use_parameter_size": "false",
}


class Server:
    """A server of its own, with its files in the folder `home`; `settings` go into its conf.

    `plugins` is a folder with jars of procedures, which are on the path of classes as well, as
    Neo4j's own script has it. `flags` are further ones of Java.
    """

    def __init__(
        self,
        home: Path,
        settings: Mapping[str, str],
        plugins: Path | None = None,
        flags: Sequence[str] = (),
    ) -> None:
        self.home = home
        self._plugins, self._flags = plugins, flags
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        own = {"server.bolt.listen_address": self.address}
        own["server.bolt.advertised_address"] = self.address
        if plugins:
            own["server.directories.plugins"] = str(plugins)
        lines = [f"{name}={value}\n" for name, value in (_SETTINGS | own | dict(settings)).items()]
        (home / "conf").mkdir(parents=True, exist_ok=True)
        (home / "conf" / "neo4j.conf").write_text("".join(lines))

    @property
    def address(self) -> str:
        """Where it listens, without a scheme."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """What Stemma opens as a store, with user and password."""
        return f"bolt://{USER}:{PASSWORD}@{self.address}"

    def start(self) -> "Server":
        """Start it, and return when it answers. Raises RuntimeError where it does not."""
        classes = ":".join(f"{each}/*" for each in (jars(POM), self._plugins) if each)
        java = [*_ENDS_WITH_TESTS, "java", *_FLAGS, *self._flags, "-cp", classes]
        java += ["org.neo4j.server.CommunityEntryPoint"]
        java += [f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}"]
        with (self.home / "output.txt").open("ab") as output:
            self._process = subprocess.Popen(java, stdout=output, stderr=subprocess.STDOUT)
        end = time.monotonic() + _SECONDS_TO_START
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self.kill()
                told = (self.home / "output.txt").read_text(errors="replace")
                raise RuntimeError(f"Neo4j did not start:\n{told[-4000:]}")
            time.sleep(0.2)
        return self

    def _answers(self) -> bool:
        try:
            with self.driver() as driver:
                driver.verify_connectivity()
        except AuthError:
            self._choose_password()
        except (DriverError, Neo4jError):
            return False
        return True

    def _choose_password(self) -> None:
        """Do what alone one can do with the password that a new server is delivered with."""
        with self.driver("neo4j") as driver, driver.session(database="system") as session:
            session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new", new=PASSWORD)

    def driver(self, password: str = PASSWORD) -> neo4j.Driver:
        """Connect to it without Stemma."""
        return neo4j.GraphDatabase.driver(f"bolt://{self.address}", auth=(USER, password))

    def kill(self) -> None:
        """End it at once, as a failing machine would."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """End it."""
        if self._process and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.kill()
