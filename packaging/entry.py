"""Where the bundle starts: the same command as everywhere."""

import sys

from desktop_memory.cli import main

sys.exit(main())
