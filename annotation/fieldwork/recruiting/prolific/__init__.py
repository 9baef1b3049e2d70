"""Studies on Prolific: signed links, publishing, submissions, messages and webhooks.

`admitting` reads a link, `publishing` creates and moves a study there, `reconciling` and
`receiving_webhooks` apply the states of submissions, `study_status` is what pages show.
"""
