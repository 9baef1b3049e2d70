"""A real nginx with the nginx.conf of the repository, before a web process of a test."""

import datetime
import os
from collections.abc import Mapping
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.services.children import ROOT, Child, free_port
from tests.services.nginx import environment, find_nginx


class Proxy:
    """Our configuration with other ports, folders and upstream.

    `upstream` is a port, or a name with its port. `other` replaces further words.
    """

    def __init__(
        self, folder: Path, *, upstream: int | str, other: Mapping[str, str] | None = None
    ) -> None:
        nginx = find_nginx()
        address = upstream if isinstance(upstream, str) else f"127.0.0.1:{upstream}"
        self.http, self.https = free_port(), free_port()
        self.log = folder / "proxy.log"
        self.certificate = folder / "tls" / "fullchain.pem"
        self._make_certificate(folder / "tls")
        (folder / "cache").mkdir()
        config = folder / "nginx.conf"
        config.write_text(self._config(folder, address, other or {}))
        command = [nginx, "-p", folder, "-c", config, "-g", "daemon off;"]
        self.child = Child(command, log=self.log, cwd=folder, env=environment(nginx))
        self.child.wait_until(lambda: (folder / "nginx.pid").exists())

    def _config(self, folder: Path, upstream: str, other: Mapping[str, str]) -> str:
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
            "default web:8000;": f"default {upstream};",
            "listen 80;": f"listen 127.0.0.1:{self.http};",
            "listen 443 ": f"listen 127.0.0.1:{self.https} ",
            **other,
        }.items():
            assert ours in text, f"nginx.conf has no {ours!r}"
            text = text.replace(ours, tested)
        return text

    def _make_certificate(self, folder: Path) -> None:
        """Create a certificate with the library, because openssl may be missing."""
        folder.mkdir()
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name.from_rfc4514_string("CN=localhost")
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder(
                issuer_name=name, subject_name=name, public_key=key.public_key()
            )
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .sign(key, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        self.certificate.write_bytes(certificate.public_bytes(pem))
        (folder / "privkey.pem").write_bytes(
            key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )

    def stop(self) -> None:
        self.child.stop()
