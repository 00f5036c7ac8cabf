"""``neo4j.conf`` of the managed Neo4j: every setting that differs from Neo4j's default, with its reason.

An unknown name stops Neo4j's start, so a name that a new version drops is seen at once.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from graphmem.local.layout import LOOPBACK, Layout, Ports, Tuning

SMALL_LOGS = {
    # What was purged leaves the disk after two days; small files, so that there is always one to drop.
    "db.tx_log.rotation.retention_policy": "2 days 512M",
    "db.tx_log.rotation.size": "32M",
    "db.tx_log.preallocate": "false",
    # Texts of queries would put content into a log.
    "db.logs.query.enabled": "OFF",
}

NOTHING_LEAVES = {
    "dbms.usage_report.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "server.bolt.telemetry.enabled": "false",
    "client.allow_telemetry": "false",
}

CLOSED = {
    "server.https.enabled": "false",
    "server.http_enabled_modules": "BROWSER",
    "server.http.x_forward.enabled": "false",
    # Nobody guesses the password; the default lets any local program lock the owner out by trying.
    "dbms.security.auth_max_failed_attempts": "0",
    "dbms.security.allow_csv_import_from_file_urls": "false",
}

QUICK_ANSWERS = {
    # The default watches every answer for silence, to send a sign of life; a client on the same machine sees
    # a server that ended without it. With the default the driver needs 400 ms of a core for 10,000 rows of
    # three values, without it 130.
    "server.bolt.connection_keep_alive_for_requests": "OFF",
}

QUICK_STOP = {
    # The default waits 10 s for clients that might still come.
    "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
}


def settings(layout: Layout, ports: Ports, tuning: Tuning) -> dict[str, str]:
    """Values by the name of the setting."""
    bolt, http = f"{LOOPBACK}:{ports.bolt}", f"{LOOPBACK}:{ports.http}"
    return {
        "server.default_listen_address": LOOPBACK,
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        **_directories(layout),
        "server.memory.pagecache.size": tuning.pagecache,
        "db.query.default_language": "CYPHER_25",
        **SMALL_LOGS,
        **NOTHING_LEAVES,
        **CLOSED,
        **QUICK_ANSWERS,
        **QUICK_STOP,
        **_guide(tuning.guide_url),
    }


def conf_text(layout: Layout, ports: Ports, tuning: Tuning) -> str:
    """The whole file, a setting a line."""
    head = "# Written by GraphMem at every start; changes made here are lost.\n"
    return head + "".join(f"{name}={value}\n" for name, value in settings(layout, ports, tuning).items())


def _directories(layout: Layout) -> dict[str, str]:
    """Relative to the home, which is Neo4j's home too: here an absolute path beyond ASCII is misread."""
    own = layout.folder.relative_to(layout.home)
    names = ("data", "import", "lib", "licenses", "plugins", "run")
    logs = {"server.directories.logs": str(layout.logs.relative_to(layout.home))}
    return logs | {f"server.directories.{name}": str(own / name) for name in names}


def _guide(url: str | None) -> dict[str, str]:
    if url is None:
        return {}
    return {
        "browser.post_connect_cmd": f"play {url}",
        # Neo4j Browser compares host names without their port.
        "browser.remote_content_hostname_whitelist": urlsplit(url).hostname or LOOPBACK,
    }
