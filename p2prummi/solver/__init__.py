"""The solver: the best play for a table, a rack and a ruleset, proven best or, cut short, the best found.

    solution = solve(ruleset, table, rack, opened=True)
    if solution.play is None: ...                  # nothing can be laid
    solution.play                                  # a legal turn, for `rules.judge` and `rules.take_turn`
    solution.laid, solution.tiles, solution.value  # what it lays
    solution.is_optimal                            # whether that is proven

What is asked for:
- `objective`: the most tiles, or the most value: the sum of the numbers laid, a joker counting `joker_value`
  (0: jokers are laid only where they help; 30: what they cost at the end).
- Opened: the best turn under the ruleset's joker rules. Among the turns that reach the optimum, one that
  changes few melds of the table (`Solution.changed` counts them): the fewest are sought, not proven.
- Not opened: the opening (`opening`): the one with the fewest tiles, of these with the fewest jokers, of
  these worth the most; or the one with the most of the objective. With `opening_then_table` the best whole
  turn, its opening in `play.opening`.
- `clock` and `deadline`: the answer comes by the time that `clock()` reaches `deadline`, in the clock's
  seconds, or soon after. One that was cut short for that is legal all the same, only `is_optimal` is False.
  Without them it takes what it takes: milliseconds as a rule, but no limit is promised.

The rack holds tiles and the table melds of the ruleset's tile set, each tile once: else `ImpossiblePosition`
says which is wrong. Nothing here is random: the same question has the same answer. Why it is fast, and what
its bounds are: docs/adr/0011-solver.md. The layers inside, bottom up: `steps`, `groups`, `prospects`,
`prices`, `columns`, `hunt`, `search` (counts), `layout`, `arranging`, `at_once`, `placing`, `origins`,
`joker_places`, `dealing` (melds by faces), `plays`, `opened`, `opening`, `solving` (turns of tiles); beside
them `limit`, for all that may take long.
"""

from p2prummi.solver.solution import ImpossiblePosition, Objective, OpeningChoice, Solution
from p2prummi.solver.solving import solve

__all__ = ["ImpossiblePosition", "Objective", "OpeningChoice", "Solution", "solve"]
