"""Check the answer to a refused request: a status, a code and a sentence for people."""

JSON = {"content_type": "application/json", "headers": {"accept": "application/json"}}


def refused(response, status, code, **more):
    """Return the sentence of a refusal, which is one for people; `more` is in the answer, too."""
    body = response.json()
    assert (response.status_code, body["refusal"]) == (status, code)
    assert {name: body.get(name) for name in more} == more
    sentence = body["sentence"]
    assert 0 < len(sentence) < 200
    assert not any(word in sentence for word in ("Error", "None", "Exception", "{", "Traceback"))
    return sentence
