"""Designers: which items a study has and which questionnaires they are dealt to. Pure: no Django.

`designs` makes a whole design; the others make items of one kind, or deal them.
"""
