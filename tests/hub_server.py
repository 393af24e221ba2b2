"""A model hub and a package index on this machine, each speaking as much of its protocol as a download needs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextlib.contextmanager
def serving(
    pages: Mapping[str, bytes | Path], hub_repo: str = "", hub_files: Mapping[str, Path] | None = None
) -> Iterator[str]:
    """The address of a server that has these pages, and a hub's repository if one is named."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            if path in pages:
                content = pages[path]
                self._send(content if isinstance(content, bytes) else content.read_bytes())
            elif hub_repo and re.fullmatch(rf"/api/models/{hub_repo}(/revision/[^/]+)?", path, re.IGNORECASE):
                self._json({"id": hub_repo, "modelId": hub_repo, "sha": COMMIT, "private": False, "tags": [],
                            "downloads": 0, "siblings": [{"rfilename": name} for name in hub_files or {}]})  # fmt: skip
            elif hub_repo and re.match(rf"/api/models/{hub_repo}/tree/", path, re.IGNORECASE):
                self._json([{"type": "file", "path": name, "size": file.stat().st_size, "oid": _sha1(file)}
                            for name, file in (hub_files or {}).items()])  # fmt: skip
            elif hub_repo and (
                found := re.fullmatch(rf"/{hub_repo}/resolve/[^/]+/(.+)", path, re.IGNORECASE)
            ):
                self._file((hub_files or {}).get(found[1]))
            elif path == "/":
                self._send(b"hello")
            else:
                self.send_error(404)

        do_HEAD = do_GET

        def _file(self, file: Path | None) -> None:
            if file is None:
                self.send_response(404)
                self.send_header("X-Error-Code", "EntryNotFound")
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self._send(file.read_bytes(), {"ETag": f'"{_sha1(file)}"', "X-Repo-Commit": COMMIT})

        def _json(self, what: object) -> None:
            self._send(json.dumps(what).encode(), {"Content-Type": "application/json"})

        def _send(self, content: bytes, headers: Mapping[str, str] | None = None) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                with contextlib.suppress(ConnectionError):
                    self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, name="test-server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _sha1(file: Path) -> str:
    return hashlib.sha1(file.read_bytes()).hexdigest()
