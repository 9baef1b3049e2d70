"""Sentences of a consent text that depend on the platform: participant ids and payment.

Methods have the sentences of a platform. Sentences that a researcher rewrote stay as they are.
"""

from annotation.models import Study

PLATFORM = "platform"  # Prolific and Upwork know people, and pay them
LINK, INVITATION = Study.Recruitment.LINK.value, Study.Recruitment.INVITATION.value
# By the language of the text, and by the way.
KNOWN_BY: dict[str, dict[str, str]] = {
    "en": {
        PLATFORM: "The id you have on the platform that sent you here is kept encrypted. It is "
        "needed for your payment and is never published.",
        LINK: "Nobody tells us who you are. Your browser gets a random id in a cookie, by which it "
        "is known again. This id is kept encrypted and is never published. At the end you get a "
        "code, which shows that the work is yours. If you were promised a payment, you get it for "
        "this code from the people who run the study, once they have looked at your work.",
        INVITATION: "The id under which you were invited is kept encrypted. It is needed for your "
        "payment, which you get from the people who run the study, and is never published.",
    },
    "de": {
        PLATFORM: "Die Kennung, die Sie auf der Plattform haben, die Sie hierher geschickt hat, "
        "wird verschlüsselt aufbewahrt. Sie wird für Ihre Bezahlung gebraucht und nie "
        "veröffentlicht.",
        LINK: "Niemand sagt uns, wer Sie sind. Ihr Browser bekommt in einem Cookie eine zufällige "
        "Kennung, an der er wiedererkannt wird. Diese Kennung wird verschlüsselt aufbewahrt und "
        "nie veröffentlicht. Am Ende bekommen Sie einen Code, der zeigt, dass die Arbeit Ihre ist. "
        "Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von denen, die "
        "die Studie leiten, sobald sie Ihre Arbeit angesehen haben.",
        INVITATION: "Die Kennung, unter der Sie eingeladen wurden, wird verschlüsselt aufbewahrt. "
        "Sie wird für Ihre Bezahlung gebraucht, die Sie von denen bekommen, die die Studie leiten, "
        "und nie veröffentlicht.",
    },
}
# How it was said before: drafts have it, and launched studies keep it.
EARLIER: dict[str, list[str]] = {
    "en": [
        "Nobody tells us who you are: your browser gets a random id in a cookie, by which it "
        "is known again. This id is kept encrypted and is never published. At the end you get a "
        "code. If you were promised a payment, give this code to the people who run the study: "
        "they pay you for it.",
        "Nobody tells us who you are. Your browser gets a random id in a cookie, by which it "
        "is known again. This id is kept encrypted and is never published. At the end you get a "
        "code, which shows that the work is yours. If you were promised a payment, you get it for "
        "this code from the people who run the study.",
    ],
    "de": [
        "Niemand sagt uns, wer Sie sind: Ihr Browser bekommt in einem Cookie eine zufällige "
        "Kennung, an der er wiedererkannt wird. Diese Kennung wird verschlüsselt aufbewahrt und "
        "nie veröffentlicht. Am Ende bekommen Sie einen Code. Wenn Ihnen eine Bezahlung zugesagt "
        "ist, geben Sie diesen Code denen, die die Studie leiten: Dafür werden Sie bezahlt.",
        "Niemand sagt uns, wer Sie sind. Ihr Browser bekommt in einem Cookie eine zufällige "
        "Kennung, an der er wiedererkannt wird. Diese Kennung wird verschlüsselt aufbewahrt und "
        "nie veröffentlicht. Am Ende bekommen Sie einen Code, der zeigt, dass die Arbeit Ihre ist. "
        "Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von denen, die "
        "die Studie leiten.",
    ],
}

# What the text by link says of a payment, which it leaves open, and what a study that pays says.
IF_PROMISED = {
    "If you were promised a payment, you get it for this code from the people who run the study, "
    "once they have looked at your work.": "For this code the people who run the study pay you "
    "{pay}, once they have looked at your work.",
    "Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von denen, die die "
    "Studie leiten, sobald sie Ihre Arbeit angesehen haben.": "Für diesen Code bekommen Sie {pay} "
    "von denen, die die Studie leiten, sobald sie Ihre Arbeit angesehen haben.",
    # EARLIER: people have agreed to it in these words, which stay.
    "If you were promised a payment, you get it for this code from the people who run the study.": (
        "For this code the people who run the study pay you {pay}."
    ),
    "Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von denen, die die "
    "Studie leiten.": "Für diesen Code bekommen Sie {pay} von denen, die die Studie leiten.",
    "If you were promised a payment, give this code": "The study pays {pay}: give this code",
    "Wenn Ihnen eine Bezahlung zugesagt ist, geben Sie diesen Code": "Die Studie zahlt {pay}: "
    "Geben Sie diesen Code",
}


def with_pay(text: str) -> str:
    """Return the text with {pay} where the methods leave open whether the study pays."""
    for open_, paid in IF_PROMISED.items():
        text = text.replace(open_, paid)
    return text


def for_platform(consent: str, recruitment: str) -> str:
    """Return the text with the sentences for participants from this platform."""
    for language, sentences in KNOWN_BY.items():
        right = sentences.get(recruitment, sentences[PLATFORM])
        for sentence in (*sentences.values(), *EARLIER[language]):
            if sentence in consent:
                consent = consent.replace(sentence, right)
                break
    return consent
