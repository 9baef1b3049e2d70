"""Models that rate: what they are asked, how calls go out, what came back.

`client.Endpoint` asks one (`protocols` has the two ways of asking, `limits` what its headers say).

Who asks, and for what, is in `work`; on which terms, in `asking`. A judge is made by `setting_up`.
Its calls are made (`preparing`: `material` fills `prompts`, and `asked` says what may be answered)
before they are sent (`sending`, on budget: `costs`). What comes back is read (`answers`, strictly:
`replies`) and becomes judgments (`taking`).
"""
