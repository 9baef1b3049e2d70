"""Names of keys as Windows has them (VK_*), by the `code` that a browser gives a key.

A code names a place on the keyboard, as VK_OEM_* do: both are those of the US layout. Pure.
"""

import re

UNKNOWN = "VK_PACKET"  # Windows has it for letters that come from no key
_LETTER = re.compile(r"(?:Key|Digit)([A-Z0-9])")
_NUMPAD = re.compile(r"Numpad([0-9])")
_FUNCTION = re.compile(r"F(?:[1-9]|1[0-9]|2[0-4])")

# Keys that put a character into the text.
TYPING = {
    "Space": "VK_SPACE",
    "Enter": "VK_RETURN",
    "NumpadEnter": "VK_RETURN",
    "Tab": "VK_TAB",
    "Semicolon": "VK_OEM_1",
    "Slash": "VK_OEM_2",
    "Backquote": "VK_OEM_3",
    "BracketLeft": "VK_OEM_4",
    "Backslash": "VK_OEM_5",
    "BracketRight": "VK_OEM_6",
    "Quote": "VK_OEM_7",
    "IntlBackslash": "VK_OEM_102",
    "Equal": "VK_OEM_PLUS",
    "Comma": "VK_OEM_COMMA",
    "Minus": "VK_OEM_MINUS",
    "Period": "VK_OEM_PERIOD",
    "NumpadAdd": "VK_ADD",
    "NumpadSubtract": "VK_SUBTRACT",
    "NumpadMultiply": "VK_MULTIPLY",
    "NumpadDivide": "VK_DIVIDE",
    "NumpadDecimal": "VK_DECIMAL",
}
# Keys that do something else.
_OTHER = {
    "Backspace": "VK_BACK",
    "Delete": "VK_DELETE",
    "Insert": "VK_INSERT",
    "Escape": "VK_ESCAPE",
    "CapsLock": "VK_CAPITAL",
    "NumLock": "VK_NUMLOCK",
    "ScrollLock": "VK_SCROLL",
    "Pause": "VK_PAUSE",
    "PrintScreen": "VK_SNAPSHOT",
    "ContextMenu": "VK_APPS",
    "ShiftLeft": "VK_LSHIFT",
    "ShiftRight": "VK_RSHIFT",
    "ControlLeft": "VK_LCONTROL",
    "ControlRight": "VK_RCONTROL",
    "AltLeft": "VK_LMENU",
    "AltRight": "VK_RMENU",
    "MetaLeft": "VK_LWIN",
    "MetaRight": "VK_RWIN",
    "ArrowLeft": "VK_LEFT",
    "ArrowRight": "VK_RIGHT",
    "ArrowUp": "VK_UP",
    "ArrowDown": "VK_DOWN",
    "Home": "VK_HOME",
    "End": "VK_END",
    "PageUp": "VK_PRIOR",
    "PageDown": "VK_NEXT",
    "Convert": "VK_CONVERT",
    "NonConvert": "VK_NONCONVERT",
    "KanaMode": "VK_KANA",
    "Lang1": "VK_HANGUL",
    "Lang2": "VK_HANJA",
}


def name_of(code: str) -> str:
    """Return the Windows name of a key; UNKNOWN where Windows has none."""
    if match := _LETTER.fullmatch(code):
        return f"VK_{match[1]}"
    if match := _NUMPAD.fullmatch(code):
        return f"VK_NUMPAD{match[1]}"
    if _FUNCTION.fullmatch(code):
        return f"VK_{code}"
    return TYPING.get(code) or _OTHER.get(code) or UNKNOWN


def types(code: str) -> bool:
    """Return whether a key can put a character into the text."""
    name = name_of(code)
    return (
        code in TYPING
        or name == UNKNOWN
        or bool(_LETTER.fullmatch(code) or _NUMPAD.fullmatch(code))
    )
