"""kpinspector shows why a KnowledgePulse reasoning trace scores what it scores.

The map of the house. Data flows one way, and nothing points back::

    file -> trace/ -> scoring/ -> app/ -> ui/

- ``trace``    bytes to traces: model, reader, schema issues, step tree
- ``scoring``  a trace to a report: embedder, memory, four dimensions, overrides, verdict
- ``app``      what is open, what runs, what is remembered (Qt core only)
- ``ui``       what is seen

Root modules: ``errors`` (failures that are not our fault), ``files`` (bundled resources,
per-user folders, atomic writes), ``settings`` (what the user chose), ``cli`` (the command
line without a display) and ``__main__`` (opens the window, or hands over to ``cli``).
"""

__version__ = "0.1.0"
