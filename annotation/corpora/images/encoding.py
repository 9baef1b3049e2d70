"""An image from an upload, decoded and encoded anew: only its pixels are kept."""

import io
import struct
import zlib
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

MAX_BYTES = 10_000_000
MAX_PIXELS = 40_000_000  # 160 MB decoded
MAX_SIDE = 2_000  # pixels; a larger image is made smaller
FORMATS = {"PNG": "PNG", "GIF": "PNG", "JPEG": "JPEG", "WEBP": "WEBP"}  # what comes, what is kept
BROKEN = (
    OSError, ValueError, SyntaxError, EOFError, TypeError, IndexError, KeyError, OverflowError,
    struct.error, zlib.error, UnidentifiedImageError,
)  # fmt: skip  # what Pillow raises at files that are not what they are called


class BadImage(ValueError):
    """Bytes that are no image that we show, with a code: a report counts them, and says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class EncodedImage:
    """An image as it is stored and sent."""

    content: bytes
    media_type: str
    width: int
    height: int


def encoded(content: bytes) -> EncodedImage:
    """Return an image encoded anew, without metadata and at most `MAX_SIDE` wide and high.

    Raises BadImage: TooLarge before anything is decoded, or NotAnImage.
    """
    if len(content) > MAX_BYTES:
        raise BadImage("TooLarge")
    try:
        with Image.open(io.BytesIO(content), formats=list(FORMATS)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise BadImage("TooLarge")
            kept = FORMATS[image.format or ""]
            return _encoded(image, kept)
    except BadImage:
        raise
    except (Image.DecompressionBombError, MemoryError) as error:
        raise BadImage("TooLarge") from error
    except BROKEN as error:
        raise BadImage("NotAnImage") from error


def _encoded(image: Image.Image, kept: str) -> EncodedImage:
    image.draft("RGB", (MAX_SIDE, MAX_SIDE))
    turned = ImageOps.exif_transpose(image)  # as its camera was held
    has_alpha = "A" in turned.getbands() or "transparency" in turned.info
    pixels = turned.convert("RGBA" if has_alpha and kept != "JPEG" else "RGB")
    pixels.thumbnail((MAX_SIDE, MAX_SIDE))
    bare = Image.frombytes(pixels.mode, pixels.size, pixels.tobytes())  # nothing but pixels
    written = io.BytesIO()
    bare.save(written, format=kept, **({} if kept == "PNG" else {"quality": 88}))
    return EncodedImage(written.getvalue(), f"image/{kept.lower()}", *bare.size)
