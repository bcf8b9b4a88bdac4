"""Which tests held? One line of JSON for each, so that another program can tell."""

import json
import logging
import sys
import unittest

# What an informer meets when its connection is cut is no news here.
logging.disable(logging.CRITICAL)


class Report(unittest.TestResult):
    def tell(self, test, why=''):
        name = f'{type(test).__name__}.{test.id().rsplit(".", 1)[-1]}'
        print(json.dumps({'test': name, 'why': why}), flush=True)

    def addSuccess(self, test):
        self.tell(test)

    def addFailure(self, test, err):
        self.tell(test, self._exc_info_to_string(err, test))

    addError = addFailure


modules = sys.argv[1:]
unittest.defaultTestLoader.loadTestsFromNames(modules).run(Report())
