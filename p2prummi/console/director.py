"""The director.

Takes what is typed and what the network tells, and keeps the one value that the screen shows. What is typed
either changes that value alone (a draft, a page) or becomes a command to the session; what can't be taken
back is asked about first. Nothing is done that the rules or the session refuse: their words are shown
instead. Reading a line is `typed.py`'s affair, changing a draft `turning.py`'s, entering rooms
`entrance.py`'s, a hint `advising.py`'s.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from p2prummi.console import model as models
from p2prummi.console.draft import reset
from p2prummi.console.help import model as help_model
from p2prummi.console.help.model import HelpModel, Page
from p2prummi.console.lobby import model as lobby_model
from p2prummi.console.lobby.model import LobbyModel
from p2prummi.console.log.model import Entry, Kind, with_entry
from p2prummi.console.model import ConsoleModel, Message, Question, Screen
from p2prummi.console.people import People
from p2prummi.console.rack.model import sorted_otherwise
from p2prummi.console.settings import Outcome
from p2prummi.console.table.model import turn_sent, with_draft
from p2prummi.console.turning import NoTurnError, changed_by, draw_of, pass_of, play_of, view_of
from p2prummi.console.typed import Plain, TypedError, Words, parse
from p2prummi.errors import P2PRummiError
from p2prummi.session import commands, notices
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2prummi.bots import PlayerView
    from p2prummi.console.advising import Advisor
    from p2prummi.console.entrance import Entrance
    from p2prummi.console.keeping import Keeper
    from p2prummi.console.port import Port
    from p2prummi.console.turning import DraftCommand
    from p2prummi.net.driver import AnyNotice
    from p2prummi.rules import Turn

log: Final = logging.getLogger(__name__)

SHOWN_REASONS_MAX: Final = 6
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
QUESTIONS: Final = {
    Question.DRAW: "What lies on the table now is a legal turn. Draw a tile all the same? (y/n)",
    Question.LEAVE: "A match is running, and leaving ends it for all. Leave the room? (y/n)",
    Question.QUIT: "A match is running, and leaving ends it for all. End the program? (y/n)",
}


class Director:
    """Holds the state in `model`. `leave` is called once with how the console ends.

    `bell` when one's turn begins. `bots_directory` is where the words of one's own bots are kept: empty
    where none were brought.
    """

    def __init__(
        self,
        port: Port,
        entrance: Entrance,
        keeper: Keeper,
        advisor: Advisor,
        *,
        name: str,
        leave: Callable[[Outcome], None],
        bell: Callable[[], None],
        bots_directory: str = "",
    ) -> None:
        self.model = ConsoleModel(
            people=People(own_key=port.key).met(port.key, name),
            lobby=LobbyModel(bots_directory=bots_directory),
        )
        self._port = port
        self._entrance = entrance
        self._keeper = keeper
        self._advisor = advisor
        self._leave = leave
        self._bell = bell
        self._outcome = Outcome.DONE

    # What happens.

    def hear(self, notice: AnyNotice) -> None:
        """Takes up a notice."""
        room_before = self.model.lobby.room
        self.model = models.after_notice(self.model, notice)
        kept = self._keeper.keep(notice)
        if kept:
            self.model = replace(self.model, result=replace(self.model.result, kept=kept))
        match notice:
            case notices.TurnStarted(mine=True):
                self._bell()
            case notices.RoomUpdated() if room_before is None and not self.model.message.trouble:
                # That a room is being entered is no news in it.
                self._answer()
            case notices.MatchStarted():
                self._outcome = Outcome.DONE
                self.model = replace(self.model, message=Message(), help=HelpModel())
            case notices.MatchEnded(reason=reason):
                self._outcome = _outcome_of(reason)
        self._entrance.hear(notice)
        self._look_around()

    def second_passed(self) -> None:
        """Looks, once a second, at what tells of itself only when asked."""
        lobby = lobby_model.after_second(self.model.lobby, self._port.rooms())
        self.model = replace(self.model, lobby=lobby)
        self._look_around()

    def tell(self, text: str, *, trouble: bool = False) -> None:
        """Puts a line into the log and shows it as the answer."""
        self.note(text, trouble=trouble)
        self._answer(text, trouble=trouble)

    def note(self, text: str, *, trouble: bool = False) -> None:
        """Puts a line into the log alone: it asks for nothing."""
        entry = Entry(Kind.TROUBLE if trouble else Kind.NEWS, text)
        self.model = replace(self.model, log=with_entry(self.model.log, entry))

    # What is typed.

    def submit(self, line: str) -> None:
        """Does what was typed.

        Whatever is wrong with it is said, and nothing is raised that a player could cause.
        """
        question = self.model.question
        self.model = replace(self.model, question=None)
        if not line.strip():
            return
        self._answer()
        try:
            if question is not None and line.strip().lower() in _YES | _NO:
                self._answered(question, yes=line.strip().lower() in _YES)
                return
            self.model = replace(self.model, help=HelpModel())
            self._do(line)
        except NoTurnError as error:
            self._refused(error.reasons)
        except P2PRummiError as error:
            self._answer(str(error), trouble=True)

    def interrupt(self) -> None:
        """Ctrl-C: like `quit`; a second time it is meant."""
        if self.model.question is Question.QUIT:
            self._leave(Outcome.INTERRUPTED)
        else:
            self._quit(Outcome.INTERRUPTED)

    def escape(self) -> None:
        """Esc: closes the page, or takes the question as answered with no."""
        self.model = replace(self.model, question=None, help=HelpModel())

    def scroll(self, lines: int) -> None:
        """Scrolls the page that is open."""
        self.model = replace(self.model, help=help_model.scrolled(self.model.help, lines))

    def _do(self, line: str) -> None:
        match parse(line):
            case Words(name=name, text=text):
                self._do_words(name, text)
            case Plain(name=name):
                self._plain(name)
            case typed:
                self._change_draft(typed)

    def _do_words(self, name: str, text: str) -> None:
        match name:
            case "say":
                self._port.command(commands.SendChat(text))
                own = self.model.people.label(self._port.key)
                entry = Entry(Kind.CHAT, f"{own}: {shown(text)}")
                self.model = replace(self.model, log=with_entry(self.model.log, entry))
            case "ready":
                self._port.command(commands.SetReady(ready=text.lower() not in _NO))
            case "open":
                self._entrance.open(text)
            case "join":
                self._answer(self._entrance.join(text, self.model.lobby.rooms))
            case "connect":
                self._answer(self._entrance.connect(text))

    def _plain(self, name: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "end": lambda: self._send(play_of(self.model.table)),
            "draw": self._draw,
            "pass": lambda: self._send(pass_of(self.model.table)),
            "hint": self._hint,
            "reset": self._reset,
            "sort": self._sort,
            "start": lambda: self._port.command(commands.StartMatch()),
            "next": self._next,
            "leave": self._leave_room,
            "rules": lambda: self._open_page(Page.RULES),
            "help": lambda: self._open_page(Page.COMMANDS),
            "quit": lambda: self._quit(self._outcome),
        }
        actions[name]()

    def _answered(self, question: Question, *, yes: bool) -> None:
        if not yes:
            return
        match question:
            case Question.DRAW:
                self._send(draw_of(self.model.table))
            case Question.LEAVE:
                self._left_room()
            case Question.QUIT:
                self._leave(Outcome.ENDED_EARLY if self.model.match_running else self._outcome)

    # The turn.

    def _change_draft(self, typed: DraftCommand) -> None:
        position = self.model.table.position
        if position is None:
            raise TypedError("There are tiles only while a round is played.")
        draft = changed_by(position.draft, typed)
        self.model = replace(self.model, table=with_draft(self.model.table, draft))

    def _reset(self) -> None:
        position = self.model.table.position
        if position is not None:
            self.model = replace(self.model, table=with_draft(self.model.table, reset(position.draft)))

    def _hint(self) -> None:
        view = view_of(self.model.table, self.model.players.totals)
        self._answer("Looking for a good turn ...")
        self._advisor.ask(view, partial(self._advise, view))

    def _advise(self, view: PlayerView, sentence: str) -> None:
        """Shows a hint, unless the turn that it is for is over."""
        position = self.model.table.position
        if position is None or not self.model.table.my_turn or position.game != view.game:
            return
        if position.draft.changed:
            sentence += " That is from the turn's start: `reset` goes back to it."
        self._answer(sentence)

    def _draw(self) -> None:
        turn = draw_of(self.model.table)
        position = self.model.table.position
        if position is not None and position.judgement.legal:
            self.model = replace(self.model, question=Question.DRAW)
        else:
            self._send(turn)

    def _send(self, turn: Turn) -> None:
        self._port.command(commands.TakeTurn(turn))
        self.model = replace(self.model, table=turn_sent(self.model.table))

    def _refused(self, reasons: tuple[str, ...]) -> None:
        """Shows the reasons as the answer, which the next line replaces: the log is for what happened."""
        more = len(reasons) - SHOWN_REASONS_MAX
        kept = (*reasons[:SHOWN_REASONS_MAX], *([f"And {more} more."] if more > 0 else []))
        self.model = replace(self.model, message=Message(lines=kept, trouble=True))

    # Everything else.

    def _look_around(self) -> None:
        """Takes up what no notice tells of one's room and of the one that is waited for."""
        waiting, code = self._entrance.waiting, self._port.room_code
        if waiting and waiting != self.model.lobby.waiting and not self.model.message.trouble:
            # That an address is being looked at is no news any more.
            self._answer()
        lobby = lobby_model.of_network(self.model.lobby, code=code, waiting=waiting)
        self.model = replace(self.model, lobby=lobby)

    def _answer(self, text: str = "", *, trouble: bool = False) -> None:
        self.model = replace(self.model, message=Message(lines=(text,) if text else (), trouble=trouble))

    def _sort(self) -> None:
        self.model = replace(self.model, rack=sorted_otherwise(self.model.rack))

    def _open_page(self, page: Page) -> None:
        self.model = replace(self.model, help=help_model.opened(page))

    def _next(self) -> None:
        self._port.command(commands.NextRound())
        self.model = replace(self.model, result=replace(self.model.result, agreed=True))

    def _leave_room(self) -> None:
        if self.model.match_running:
            self.model = replace(self.model, question=Question.LEAVE)
        else:
            self._left_room()

    def _left_room(self) -> None:
        if self.model.lobby.room is not None:
            self._entrance.left()
            self._port.command(commands.LeaveRoom())
        elif self._entrance.stop_waiting():
            self._answer("That room is waited for no more.")
        elif self.model.screen is Screen.LOBBY:
            raise TypedError("You are in no room that could be left; `quit` ends the program.")
        self.model = replace(self.model, screen=Screen.LOBBY)
        self._look_around()

    def _quit(self, outcome: Outcome) -> None:
        if self.model.match_running:
            self.model = replace(self.model, question=Question.QUIT)
        else:
            self._leave(outcome)


def _outcome_of(reason: notices.MatchEnd) -> Outcome:
    match reason:
        case notices.MatchEnd.FINISHED:
            return Outcome.DONE
        case notices.MatchEnd.FAULT:
            return Outcome.PEER_FAULT
        case _:
            return Outcome.ENDED_EARLY
