"""Entry point of the command line: ``nocbench``, and ``python -m nocbench``."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command line. Ctrl-C ends the program quietly, also while modules are loading."""
    try:
        from nocbench.command_line import main as run_command_line

        run_command_line()
    except KeyboardInterrupt:
        from nocbench.support.exit_status import ExitStatus

        sys.stderr.write("interrupted\n")
        sys.exit(int(ExitStatus.INTERRUPTED))


if __name__ == "__main__":
    main()
