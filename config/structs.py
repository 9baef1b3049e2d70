"""Messages and documents, prepared before threads read them."""

import msgspec


def prepare_structs() -> None:
    """Prepare every kind of Struct that is loaded.

    msgspec does so when one is read first, and the process crashes if two threads do it at once.
    """
    kinds = [msgspec.Struct]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind is not msgspec.Struct:
            msgspec.json.Decoder(kind)
