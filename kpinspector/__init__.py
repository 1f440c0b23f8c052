"""kpinspector shows why a KnowledgePulse reasoning trace scores what it scores.

The map of the house. Data flows one way, and nothing points back::

    file -> trace/ -> runs/ -> scoring/ -> batch/, sharing/ -> words/ -> app/ -> ui/

- ``trace``    bytes to traces: model, reader, schema issues, step tree; and the search for secrets
  in texts, which are masked before any text is cut
- ``runs``     recordings of other agents to traces: a module for each format in ``readers``, which
  says all of it, what a run is, and the rules that make a trace of it
- ``scoring``  a trace to a report, on five floors: the ``formula`` of the score and the ``model``
  that embeds; the ``memory``; ``novelty``; ``whatif``, where also stands what a trace can reach, as
  every answer says it; the ``report``
- ``batch``    many traces at once: the ``plan`` of which to contribute in which order, groups and
  their map, the summary. A room, because it alone uses solvers, in a process of their own
- ``sharing``  what the SDK would post of a trace, what it cleans and what leaves in clear: pure,
  so that it can be held against the SDK body by body
- ``words``    a score to what is read: figures that add up, sentences and sections by subject, the
  one ``explanation``, and the ``writers`` of all that is a ``page``. A room, because window,
  command line and exports say the same, and no number depends on its words
- ``app``      what is open, what runs, what is remembered (Qt core only)
- ``ui``       what is seen. All is made of ``look``, ``controls``, ``actions``, ``tables`` and
  ``parts``; then come ``traces``, ``steps``, the ``panes`` of one trace, ``batch`` and the
  ``dialogs``; the ``window`` puts them in their places, and ``commands`` do what its actions say

Beside the window stands a second way out, which needs no display and loads no Qt::

    words/ -> cli/

- ``cli``      the command line: a module for each command or two, and what they share. A room,
  because one module could not hold them all and ``score`` should not wait for what only the
  others load

Root modules: ``errors`` (failures that are not our fault), ``files`` (bundled resources,
per-user folders, atomic writes), ``loading`` (libraries, where they are first used), ``phrase``
(a message and its values, for ``words`` to say), ``settings`` (what the user chose, and what is
kept between two starts as JSON) and ``__main__`` (opens the window, or hands over to ``cli``).
"""

__version__ = "0.1.0"
