"""A browser and its system as people call them, from what it says of itself. Pure."""

# The first that fits: each of the later ones is claimed by an earlier one as well.
BROWSERS = {
    "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox",
    "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
SYSTEMS = {
    "Windows": "Windows", "Android": "Android", "iPhone": "iPhone", "iPad": "iPad",
    "CrOS": "ChromeOS", "Mac OS": "macOS", "Linux": "Linux",
}  # fmt: skip


def device_of(agent: str) -> str:
    """Firefox on Linux."""
    browser = next((name for sign, name in BROWSERS.items() if f"{sign}/" in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "another program"
