"""The interaction log: events, chunks, how it arrives, is packed and leaves.

Door: `eventlog` for the events (pure), `collecting` for the stored log of an assignment,
`logfiles.log_files` for the files of a study.
"""
