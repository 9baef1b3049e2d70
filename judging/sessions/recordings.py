"""Encryption of recordings, and reading of byte ranges. Only reads."""

import base64
import secrets
from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db.models import Sum

from annotation.encryption import unsealed
from judging.models import Recording, RecordingChunk
from judging.models.sessions import KEY_PURPOSE

NONCE = 12  # bytes, as AES-GCM wants
# First bytes of a file, from an offset, and the media type of audio that browsers play.
SIGNATURES = (
    (0, b"\x1aE\xdf\xa3", "audio/webm"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"\xff\xf2", "audio/mpeg"),
    (8, b"WAVE", "audio/wav"),
    (4, b"ftyp", "audio/mp4"),
)


def media_type_of(content: bytes) -> str:
    """Return the media type of audio by its first bytes; empty if unknown."""
    for at, signature, media_type in SIGNATURES:
        if content[at : at + len(signature)] == signature:
            return media_type
    return ""


def cipher_of(recording: Recording) -> AESGCM:
    """Return the cipher of a recording's chunks."""
    key = unsealed(recording.sealed_key, purpose=KEY_PURPOSE)
    return AESGCM(base64.urlsafe_b64decode(key))


def encrypted(cipher: AESGCM, number: int, content: bytes) -> bytes:
    """Return an encrypted chunk, which can't take the place of another number."""
    nonce = secrets.token_bytes(NONCE)
    return nonce + cipher.encrypt(nonce, content, str(number).encode())


def decrypted(cipher: AESGCM, number: int, data: bytes | memoryview) -> bytes:
    data = bytes(data)
    return cipher.decrypt(data[:NONCE], data[NONCE:], str(number).encode())


def size_of(recording: Recording) -> int:
    """Return the bytes of audio."""
    total = RecordingChunk.objects.filter(recording=recording).aggregate(n=Sum("size"))["n"]
    return int(total or 0)


def read_range(recording: Recording, start: int, end: int) -> Iterator[bytes]:
    """Yield the audio from byte `start` up to and without byte `end`, chunk by chunk."""
    cipher = cipher_of(recording)
    rows = RecordingChunk.objects.filter(recording=recording).order_by("number")
    at = 0
    for pk, number, size in list(rows.values_list("pk", "number", "size")):
        if at < end and at + size > start:
            data = RecordingChunk.objects.values_list("data", flat=True).get(pk=pk)
            yield decrypted(cipher, number, data)[max(0, start - at) : end - at]
        at += size
