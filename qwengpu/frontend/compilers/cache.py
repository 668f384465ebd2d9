"""A directory of build results keyed by content: never in the way, never wrong."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import platformdirs

ENVIRONMENT = "QWENGPU_CACHE_DIR"
DIGEST_BYTES = 32


def content_key(parts: Iterable[str | bytes]) -> str:
    """Hex key of a sequence of parts; their boundaries count."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()


@dataclass(frozen=True)
class Cache:
    """Bytes by key under ``root``.

    An entry begins with the SHA-256 of its content: a torn or edited one counts as absent. Writes
    are atomic. A directory that cannot be written makes the cache forget, not fail.
    """

    root: Path

    def path(self, key: str, suffix: str = "") -> Path:
        """Where the entry of ``key`` lies."""
        return self.root / key[:2] / (key + suffix)

    def get(self, key: str) -> bytes | None:
        """The content, or None if it is absent or damaged."""
        try:
            raw = self.path(key).read_bytes()
        except OSError:
            return None
        digest, content = raw[:DIGEST_BYTES], raw[DIGEST_BYTES:]
        return content if hashlib.sha256(content).digest() == digest else None

    def put(self, key: str, content: bytes) -> bool:
        """Store ``content``; False if the directory does not take it (full, read-only)."""
        return self._write(self.path(key), hashlib.sha256(content).digest() + content, 0o644)

    def get_program(self, key: str) -> Path | None:
        """Path of an executable stored by :meth:`put_program`, or None if absent or damaged."""
        target = self.path(key, ".exe")
        try:
            content = target.read_bytes()
            digest = self.path(key, ".sum").read_bytes()
        except OSError:
            return None
        return target if hashlib.sha256(content).digest() == digest else None

    def put_program(self, key: str, content: bytes) -> Path | None:
        """Store an executable and say where it lies; None if the directory does not take it."""
        digest = hashlib.sha256(content).digest()
        if self._write(self.path(key, ".exe"), content, 0o755) and self._write(
            self.path(key, ".sum"), digest, 0o644
        ):
            return self.path(key, ".exe")
        return None

    def _write(self, target: Path, content: bytes, mode: int) -> bool:
        temporary = None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except OSError:
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)
            return False
        return True


@cache
def _cache_at(root: str) -> Cache:
    return Cache(Path(root))


def default_cache() -> Cache:
    """The user's cache directory, or the one that QWENGPU_CACHE_DIR names."""
    root = os.environ.get(ENVIRONMENT) or platformdirs.user_cache_dir("qwengpu-conformance")
    return _cache_at(root)
