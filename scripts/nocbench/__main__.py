"""``python -m nocbench`` is ``nocbench``."""

from nocbench.command_line import main

if __name__ == "__main__":
    main()
