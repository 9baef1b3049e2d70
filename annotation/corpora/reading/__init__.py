"""The rows of a file, whatever contains them: one stream for the preview, the check and the import.

Pure: nothing here knows a kind of row.
"""
