"""Syntax trees of Python code, for tests that read it."""

import ast
from concurrent.futures import ThreadPoolExecutor

TRIES = 10


def tree_of(text: str) -> ast.Module:
    """Return the syntax tree of some code, made in a fresh thread, and again if that fails.

    CPython 3.11 has one counter of depth for all threads. So it now and then raises a SystemError if another thread
    makes a tree at the same time (a traceback's markers need one), or if a browser's greenlets run in this thread.
    """
    with ThreadPoolExecutor(1) as fresh:
        for _ in range(TRIES):
            try:
                return fresh.submit(ast.parse, text).result()
            except SystemError:
                continue
        return fresh.submit(ast.parse, text).result()
