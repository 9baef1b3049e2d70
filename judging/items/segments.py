"""The words of a part of a response. Only reads."""

from annotation.models import Segment


def text_of(segment: Segment) -> str:
    """As Markdown. A section without words of its own is its heading and its statements."""
    if segment.text or segment.kind != Segment.Kind.SECTION:
        return segment.text
    parts = Segment.objects.filter(response=segment.response_id).order_by("line")
    inside = {segment.pk}
    words = []
    for part in parts:
        if part.parent_id in inside:
            inside.add(part.pk)
            is_heading = part.kind == Segment.Kind.HEADING
            words.append(f"**{part.text}**" if is_heading and part.text else part.text)
    return "\n\n".join(filter(None, words))
