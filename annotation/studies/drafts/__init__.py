"""A study before its launch: one JSON document, edited by several people at once.

`schema` says what is in a document, `paths` how a place in it is named, `kinds` what the kinds of
studies know of theirs. Door: `making.make_draft`, `saving.save`, `undoing.undo` and `redo`,
`faults.faults_of`, `launching.launch`, `files.written` and `files.read`.
"""
