"""The machine around us: paths, files written atomically, who owns them, libraries that may fail.

Uses `text`. Offers answers about paths, whole files, locks on temporary ones, one line for a
library.
"""
