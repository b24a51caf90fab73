"""The commands of the command line, one module each, named like the command.

Modules other than click are imported inside functions: importing pandas and the plotting libraries takes longer than
running most commands.
"""
