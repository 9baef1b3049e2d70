"""The pages on which a study is built: methods to choose from, the editor of a draft, its launch.

Door: `views` for the addresses; `sheets` for the kinds of studies, which say what of their
instruments is edited where.
"""
