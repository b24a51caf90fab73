"""The commands of the command line, one module each, named like the command.

What a command needs beyond click is imported where it is used: pandas and the plotting libraries take longer to import
than most commands take to run.
"""
