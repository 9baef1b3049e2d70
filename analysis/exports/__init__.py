"""Files for papers and programs: rows, encodings, tables, bundle.

Door: `exporting.write_bundle`, `catalogue` for the names of the files.
"""
