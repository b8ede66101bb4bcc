"""The asv suite: every module here is imported by asv, so none imports the package at its top."""
