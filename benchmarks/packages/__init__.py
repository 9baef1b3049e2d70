"""Scripts by which packages of other systems read our files.

They run in environments of their own, import nothing of ours, and print JSON.
"""
