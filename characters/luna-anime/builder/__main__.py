"""Builds the pack; `python3 -m builder PACK_FOLDER`."""
import sys

from .pack import main

main(sys.argv[1:])
