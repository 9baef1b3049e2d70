"""Unpack the files of a zip file that has arrived, such as the folder of a data set.

A zip file may be a trap: how many files and bytes come out of it is limited while it is unpacked,
whatever its directory says.
"""

import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.corpora.reading.lines import HARMLESS, Bounds, megabytes
from annotation.corpora.reading.opening import SUFFIXES, ZIP, is_office
from annotation.corpora.reading.source_rows import UnfitFile
from annotation.corpora.uploads.refusals import FULL
from annotation.texts.sentences import Sentence
from annotation.texts.untrusted import storable

MOST_MEMBERS = 10_000
MOST_DATA_FILES = 50
IMAGES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp"))
CHUNK = 1 << 20  # bytes
# Beside the data of a folder: what it is, not what it holds.
ABOUT = frozenset(
    (
        *("dataset_info.json", "dataset_infos.json", "state.json", "dataset_dict.json"),
        *("datapackage.json", "croissant.json", "metadata.json", "package.json"),
        *("license.txt", "licence.txt", "readme.txt", "requirements.txt"),
    )
)


@dataclass
class Arrived:
    """A file on the disk that nobody keeps yet."""

    name: str
    path: Path
    size: int
    fault: str = ""  # why it cannot be unpacked


@dataclass
class Unpacked:
    files: list[Arrived] = field(default_factory=list)
    images: list[Arrived] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # names of what holds no rows

    def remove(self) -> None:
        """Delete what has not been moved elsewhere."""
        _remove([*self.files, *self.images])


def arrived_files(files: Iterable[TemporaryUploadedFile]) -> Unpacked:
    """Return the files and images, and those that zip files among them contain."""
    all_files = Unpacked()
    for file in files:
        path = Path(file.temporary_file_path())
        whole = Arrived(file.name or "file", path, file.size or 0)
        with path.open("rb") as stream:
            is_folder = is_packed(stream)
        if not is_folder:
            (all_files.images if is_image(whole.name) else all_files.files).append(whole)
            continue
        try:
            inside = unpacked(path)
        except OSError:
            all_files.remove()
            raise
        except UnfitFile as error:
            whole.fault = error.reason
            all_files.files.append(whole)
        else:
            all_files.files += inside.files
            all_files.images += inside.images
            all_files.left_out += inside.left_out
    return all_files


def is_packed(stream: BinaryIO) -> bool:
    """Return whether an open file is a zip file of files, and no workbook."""
    is_zip = stream.read(4) == ZIP
    stream.seek(0)
    return is_zip and not is_office(stream)


def unpacked(path: Path, *, suffixes: Collection[str] = SUFFIXES) -> Unpacked:
    """Unpack the files with these endings.

    Raises UnfitFile, or OSError where the disk is full, and then nothing of them is left.
    """
    inside = Unpacked()
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            data = [one for one in members if is_data(one.filename, suffixes)]
            names = {one.filename for one in data}
            images = [one for one in members if is_image(one.filename)]
            _refuse(members, data, images)
            inside.left_out = [
                _shown(one.filename)
                for one in members
                if not (one.filename in names or is_image(one.filename))
                and not _is_hidden(one.filename)
            ]
            total = 0
            top = _common_folder(data)
            for member in (*data, *images):
                file = _extracted(archive, member, most=settings.UPLOAD_MOST_BYTES - total)
                (inside.files if member.filename in names else inside.images).append(file)
                total += file.size
                file.name = _shown(member.filename.removeprefix(top))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
        inside.remove()
        if getattr(error, "errno", None) in FULL:
            raise
        raise UnfitFile(Sentence("is damaged or incomplete")) from error
    except UnfitFile:
        inside.remove()
        raise
    return inside


def _refuse(
    members: list[zipfile.ZipInfo], data: list[zipfile.ZipInfo], images: list[zipfile.ZipInfo]
) -> None:
    if any(one.flag_bits & 1 for one in members):
        raise UnfitFile(Sentence("is password-protected"))
    if not data and not images:
        raise UnfitFile(Sentence("is a zip file without data files"))
    if len(members) > MOST_MEMBERS or len(data) > MOST_DATA_FILES:
        raise UnfitFile(
            Sentence(
                "contains {count:,} files. The limit is {most:,}",
                count=len(data),
                most=MOST_DATA_FILES,
            )
        )


def _extracted(archive: zipfile.ZipFile, member: zipfile.ZipInfo, *, most: int) -> Arrived:
    folder = settings.FILE_UPLOAD_TEMP_DIR
    size = 0
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".upload", delete=False) as into:
        file = Arrived("", Path(into.name), 0)
        try:
            with archive.open(member) as content:
                while chunk := content.read(CHUNK):
                    size += len(chunk)
                    _refuse_bomb(size, packed=member.compress_size, most=most)
                    into.write(chunk)
        except BaseException:
            file.path.unlink(missing_ok=True)
            raise
    file.size = size
    return file


def _refuse_bomb(size: int, *, packed: int, most: int) -> None:
    ratio = Bounds(unpacked=most).ratio
    if size > HARMLESS and size > ratio * max(1, packed):
        raise UnfitFile(
            Sentence(
                "unpacks to more than {ratio} times its size",
                ratio=ratio,
            )
        )
    if size > most:
        raise UnfitFile(
            Sentence(
                "is larger than {most} MB unpacked: split it",
                most=megabytes(settings.UPLOAD_MOST_BYTES),
            )
        )


def _remove(files: Iterable[Arrived]) -> None:
    for file in files:
        file.path.unlink(missing_ok=True)


def is_data(name: str, suffixes: Collection[str] = SUFFIXES) -> bool:
    """Return whether a file in a folder may hold rows, by its name."""
    path = PurePosixPath(name.lower())
    suffix = PurePosixPath(path.name.removesuffix(".gz")).suffix
    is_named = suffix in suffixes and suffix != ".zip"
    return is_named and path.name not in ABOUT and not _is_hidden(name)


def is_image(name: str) -> bool:
    """Return whether a file may be an image of a text, by its name."""
    return PurePosixPath(name.lower()).suffix in IMAGES and not _is_hidden(name)


def _is_hidden(name: str) -> bool:
    """Return whether a system has added the file: of macOS, of Git, of Office."""
    parts = PurePosixPath(name).parts
    return any(part.startswith((".", "__MACOSX", "~$")) for part in parts)


def _common_folder(members: list[zipfile.ZipInfo]) -> str:
    tops = {PurePosixPath(one.filename).parts[0] for one in members}
    is_one = len(tops) == 1 and all("/" in one.filename for one in members)
    return f"{tops.pop()}/" if is_one else ""


def _shown(name: str) -> str:
    parts = [part for part in PurePosixPath(storable(name)).parts if part not in ("/", "..")]
    return "/".join(parts)[-200:] or "file"
