"""What a refused request is answered: a status and a sentence for people."""

JSON = {"content_type": "application/json", "headers": {"accept": "application/json"}}


def refused(response, status, words):
    """Return the sentence of a refusal, which is one for people."""
    assert response.status_code == status
    sentence = response.json()["sentence"]
    assert words in sentence
    assert len(sentence) < 200
    assert not any(word in sentence for word in ("Error", "None", "Exception", "{", "Traceback"))
    return sentence
