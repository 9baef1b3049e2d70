"""ZIP of all exports of a study, sent while its files are made.

Each file is written into a temporary folder, packed and removed: memory holds some rows, the disk
the files of one table.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from analysis.exports.exporting import Bundle, Reporter
from analysis.exports.source import ExportSource
from annotation.clock import database_now

BUNDLE = "export.zip"  # what it is called among the exports of a study
PIECE = 1 << 16  # bytes


class _Pipe:
    """File that keeps its content until `taken`; it cannot seek."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: the content waits for `taken`."""

    def taken(self) -> bytes:
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data


def zipped(source: ExportSource, *, reporter: Reporter) -> Iterator[bytes]:
    """Return the ZIP as a stream. Raises CannotExport before the first bytes."""
    folder = tempfile.TemporaryDirectory(prefix="crowdwright-export-")
    try:
        bundle = Bundle(source=source, out=Path(folder.name), reporter=reporter)
    except BaseException:
        folder.cleanup()
        raise
    return _zipped(bundle, folder)


def _zipped(bundle: Bundle, folder: "tempfile.TemporaryDirectory[str]") -> Iterator[bytes]:
    pipe = _Pipe()
    now = database_now().timetuple()[:6]
    with folder, ZipFile(pipe, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name in bundle.write():
            info = ZipInfo(name, date_time=now)
            info.compress_type = ZIP_STORED if name.endswith(".gz") else ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            path = bundle.out / name
            with path.open("rb") as file, archive.open(info, "w", force_zip64=True) as entry:
                while piece := file.read(PIECE):
                    entry.write(piece)
                    if data := pipe.taken():
                        yield data
            path.unlink()
        archive.close()
        yield pipe.taken()
