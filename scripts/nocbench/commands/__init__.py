"""The commands of the command line, one module each, named like the command.

Imports beyond click are local: pandas and the plotting libraries take longer to import than most commands to run.
"""
