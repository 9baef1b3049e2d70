"""Sentences of a consent text that depend on the platform: participant ids and payment.

Methods have the sentences of a platform. Sentences that a researcher rewrote stay as they are.
"""

from annotation.models import Study

PLATFORM = "platform"  # Prolific and Upwork know people, and pay them
LINK, INVITATION = Study.Recruitment.LINK.value, Study.Recruitment.INVITATION.value
# By the language of the text, and by the way.
KNOWN_BY: dict[str, dict[str, str]] = {
    "en": {
        PLATFORM: "If a platform such as Prolific sent you here, we store your ID on that "
        "platform in encrypted form. We need it to pay you and never publish it.",
        LINK: "We don't know who you are. A cookie gives your browser a random ID, so that we "
        "recognize it again. We store this ID in encrypted form and never publish it. At the "
        "end you get a code that proves that you did this work. If you were promised payment, "
        "the researchers pay you for this code after they have reviewed your work.",
        INVITATION: "We store the ID in your invitation in encrypted form. The researchers "
        "need it to pay you and never publish it.",
    },
    "de": {
        PLATFORM: "Wenn Sie über eine Plattform wie Prolific kommen, speichern wir Ihre "
        "Kennung dort verschlüsselt. Wir brauchen sie für die Bezahlung und veröffentlichen sie "
        "nie.",
        LINK: "Wir wissen nicht, wer Sie sind. Ein Cookie gibt Ihrem Browser eine zufällige "
        "Kennung, an der wir ihn wiedererkennen. Wir speichern diese Kennung verschlüsselt und "
        "veröffentlichen sie nie. Am Ende bekommen Sie einen Code, der belegt, dass Sie diese "
        "Arbeit gemacht haben. Wenn Ihnen eine Bezahlung zugesagt ist, bezahlen die Forschenden "
        "Sie für diesen Code, sobald sie Ihre Arbeit geprüft haben.",
        INVITATION: "Wir speichern die Kennung aus Ihrer Einladung verschlüsselt. Die "
        "Forschenden brauchen sie für die Bezahlung und veröffentlichen sie nie.",
    },
}
# Earlier wordings: drafts contain them, and launched studies keep them.
EARLIER: dict[str, list[str]] = {
    "en": [
        "Nobody tells us who you are: your browser gets a random id in a cookie, by which it "
        "is known again. This id is kept encrypted and is never published. At the end you get a "
        "code. If you were promised a payment, give this code to the people who run the study: "
        "they pay you for it.",
        "Nobody tells us who you are. Your browser gets a random id in a cookie, by which it "
        "is known again. This id is kept encrypted and is never published. At the end you get a "
        "code, which shows that the work is yours. If you were promised a payment, you get it "
        "for this code from the people who run the study.",
        "The id you have on the platform that sent you here is kept encrypted. It is needed "
        "for your payment and is never published.",
        "Nobody tells us who you are. Your browser gets a random id in a cookie, by which it "
        "is known again. This id is kept encrypted and is never published. At the end you get a "
        "code, which shows that the work is yours. If you were promised a payment, you get it "
        "for this code from the people who run the study, once they have looked at your work.",
        "The id under which you were invited is kept encrypted. It is needed for your payment, "
        "which you get from the people who run the study, and is never published.",
    ],
    "de": [
        "Niemand sagt uns, wer Sie sind: Ihr Browser bekommt in einem Cookie eine zufällige "
        "Kennung, an der er wiedererkannt wird. Diese Kennung wird verschlüsselt aufbewahrt und "
        "nie veröffentlicht. Am Ende bekommen Sie einen Code. Wenn Ihnen eine Bezahlung "
        "zugesagt ist, geben Sie diesen Code denen, die die Studie leiten: Dafür werden Sie "
        "bezahlt.",
        "Niemand sagt uns, wer Sie sind. Ihr Browser bekommt in einem Cookie eine zufällige "
        "Kennung, an der er wiedererkannt wird. Diese Kennung wird verschlüsselt aufbewahrt und "
        "nie veröffentlicht. Am Ende bekommen Sie einen Code, der zeigt, dass die Arbeit Ihre "
        "ist. Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von "
        "denen, die die Studie leiten.",
        "Die Kennung, die Sie auf der Plattform haben, die Sie hierher geschickt hat, wird "
        "verschlüsselt aufbewahrt. Sie wird für Ihre Bezahlung gebraucht und nie veröffentlicht.",
        "Niemand sagt uns, wer Sie sind. Ihr Browser bekommt in einem Cookie eine zufällige "
        "Kennung, an der er wiedererkannt wird. Diese Kennung wird verschlüsselt aufbewahrt und "
        "nie veröffentlicht. Am Ende bekommen Sie einen Code, der zeigt, dass die Arbeit Ihre "
        "ist. Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von "
        "denen, die die Studie leiten, sobald sie Ihre Arbeit angesehen haben.",
        "Die Kennung, unter der Sie eingeladen wurden, wird verschlüsselt aufbewahrt. Sie wird "
        "für Ihre Bezahlung gebraucht, die Sie von denen bekommen, die die Studie leiten, und "
        "nie veröffentlicht.",
    ],
}

# Consent texts for a link leave open whether the study pays. If it does, the second sentence of
# a pair replaces the first. Those after the first two are earlier wordings, to which people agreed.
IF_PROMISED = (
    (
        "If you were promised payment, the researchers pay you for this code after they have "
        "reviewed your work.",
        "For this code, the researchers pay you {pay} after they have reviewed your work.",
    ),
    (
        "Wenn Ihnen eine Bezahlung zugesagt ist, bezahlen die Forschenden Sie für diesen Code, "
        "sobald sie Ihre Arbeit geprüft haben.",
        "Für diesen Code bezahlen Ihnen die Forschenden {pay}, sobald sie Ihre Arbeit geprüft "
        "haben.",
    ),
    (
        "If you were promised a payment, you get it for this code from the people who run the "
        "study, once they have looked at your work.",
        "For this code the people who run the study pay you {pay}, once they have looked at "
        "your work.",
    ),
    (
        "Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von denen, "
        "die die Studie leiten, sobald sie Ihre Arbeit angesehen haben.",
        "Für diesen Code bekommen Sie {pay} von denen, die die Studie leiten, sobald sie Ihre "
        "Arbeit angesehen haben.",
    ),
    (
        "If you were promised a payment, you get it for this code from the people who run the "
        "study.",
        "For this code the people who run the study pay you {pay}.",
    ),
    (
        "Wenn Ihnen eine Bezahlung zugesagt ist, bekommen Sie sie für diesen Code von denen, "
        "die die Studie leiten.",
        "Für diesen Code bekommen Sie {pay} von denen, die die Studie leiten.",
    ),
    (
        "If you were promised a payment, give this code",
        "The study pays {pay}: give this code",
    ),
    (
        "Wenn Ihnen eine Bezahlung zugesagt ist, geben Sie diesen Code",
        "Die Studie zahlt {pay}: Geben Sie diesen Code",
    ),
)


def with_pay(text: str) -> str:
    """Return the text with {pay} where the methods leave open whether the study pays."""
    for open_, paid in IF_PROMISED:
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
