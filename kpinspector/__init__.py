"""kpinspector shows why a KnowledgePulse reasoning trace scores what it scores.

The map of the house. Data flows one way, and nothing points back::

    file -> trace/ -> scoring/ -> words/ -> app/ -> ui/

- ``trace``    bytes to traces: model, reader, schema issues, step tree
- ``scoring``  a trace to a report: embedder, memory, four dimensions, overrides, verdict
- ``words``    a score to what is read: figures that add up, sentences, explanations, lists. A
  room, because window, command line and exports say the same, and no number depends on its words
- ``app``      what is open, what runs, what is remembered (Qt core only)
- ``ui``       what is seen: the window and its commands, and in it a room for each pane
  (``traces``, ``steps``, ``score``, ``whatif``, ``neighbours``, ``compare``), for ``dialogs``, the
  ``start`` page and the ``parts`` that all of them are made of

Beside the window stands a second way out, which needs no display and loads no Qt::

    words/ -> cli/

- ``cli``      the command line: a module for each command, and what the commands share. A room,
  because one module could not hold them all and ``score`` should not wait for what only the
  others load

Root modules: ``errors`` (failures that are not our fault), ``files`` (bundled resources,
per-user folders, atomic writes), ``kept`` (settings and state as JSON), ``loading``
(libraries, where they are first used), ``settings`` (what the user chose), ``themes`` (light or
dark) and ``__main__`` (opens the window, or hands over to ``cli``).
"""

__version__ = "0.1.0"
