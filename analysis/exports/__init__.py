"""Files for papers and programs: rows, encodings, bundle, downloads.

Door: `exporting.write_bundle`, `catalogue` for the names of the files, `views` for the addresses.
"""
