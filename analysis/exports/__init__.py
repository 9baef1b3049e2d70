"""Files for papers and programs: rows, encodings, bundle, downloads."""
