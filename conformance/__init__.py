"""Cases, differ, verdicts, runner, reports: the conformance suite."""
