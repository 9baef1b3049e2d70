"""A real nginx with the nginx.conf of the repository, before a web process of a test."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.services.children import ROOT, Child, ServiceFailed, free_port


def find_nginx() -> str | None:
    return shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin")


class Proxy:
    """Our configuration with other ports, folders and another upstream; nothing else differs."""

    def __init__(self, folder: Path, *, upstream: int) -> None:
        nginx = find_nginx()
        if nginx is None:
            raise ServiceFailed("nginx: there is none on this machine; install nginx")
        self.http, self.https = free_port(), free_port()
        self.log = folder / "proxy.log"
        self.certificate = folder / "tls" / "fullchain.pem"
        self._make_certificate(folder / "tls")
        (folder / "cache").mkdir()
        config = folder / "nginx.conf"
        config.write_text(self._config(folder, upstream))
        command = [nginx, "-p", folder, "-c", config, "-g", "daemon off;"]
        self.child = Child(command, log=self.log, cwd=folder)
        self.child.wait_until(lambda: (folder / "nginx.pid").exists())

    def _config(self, folder: Path, upstream: int) -> str:
        text = (ROOT / "nginx.conf").read_text()
        for ours, tested in {
            "worker_processes auto;": f"worker_processes 1; {'' if os.geteuid() else 'user root;'}",
            "server_tokens off;": " ".join(
                f"{kind}_temp_path {folder}/{kind};"
                for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            ),
            "/var/run/nginx.pid": f"{folder}/nginx.pid",
            "/var/cache/nginx/static": f"{folder}/cache",
            "/etc/nginx/tls": f"{folder}/tls",
            "server web:8000;": f"server 127.0.0.1:{upstream};",
            "listen 80;": f"listen 127.0.0.1:{self.http};",
            "listen 443 ": f"listen 127.0.0.1:{self.https} ",
        }.items():
            assert ours in text, f"nginx.conf has no {ours!r}"
            text = text.replace(ours, tested)
        return text

    def _make_certificate(self, folder: Path) -> None:
        folder.mkdir()
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
                *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
                *("-keyout", folder / "privkey.pem", "-out", self.certificate),
            ],
            check=True,
            capture_output=True,
        )

    def stop(self) -> None:
        self.child.stop()
