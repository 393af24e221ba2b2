"""python -m desktop_memory"""

import sys

from desktop_memory.cli import main

if __name__ == "__main__":
    sys.exit(main())
