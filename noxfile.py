"""Sessions: `nox -s conformance` is the main job, `nox -s tests` passes the tests; `nox -l` lists all."""

import nox

nox.options.sessions = ["conformance"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def conformance(session: nox.Session) -> None:
    """Run the whole corpus on every leg this machine has; arguments go to `conformance run`."""
    session.install("-e", ".")
    arguments = session.posargs or ["--spec", "seed,wide", "--out", "out/conformance"]
    session.run("conformance", "run", *arguments)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; arguments go to pytest."""
    session.install("-e", ".[test,weights]", "-e", "examples/tiny_ptx")
    session.run("python", "-m", "pytest", *(session.posargs or ["-n", "auto", "-q"]))


@nox.session
def example(session: nox.Session) -> None:
    """Install the example plugin and hold it to the interpreter of PTX and to the stated values."""
    session.install("-e", ".", "-e", "examples/tiny_ptx")
    paths = session.posargs or ["kernels/arithmetic", "kernels/control"]
    session.run("conformance", "run", *paths, "--legs", "ptx,expected,tiny", "--out", "out/example")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and types."""
    session.install("-e", ".[test,dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed; prints ratios and figures, judges nothing."""
    session.install("-e", ".")
    session.run("python", "-m", "conformance.bench", *session.posargs)
