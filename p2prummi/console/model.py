"""Everything that the console shows, as one value, and how a notice changes it.

Which screen is shown follows from the notices alone. A component is changed by its own model; here they are
only brought together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from p2prummi.console.help.model import HelpModel
from p2prummi.console.lobby import model as lobby_model
from p2prummi.console.lobby.model import LobbyModel
from p2prummi.console.log.model import Entry, Kind, LogModel, with_entry
from p2prummi.console.log.presenter import entry_of
from p2prummi.console.players import model as players_model
from p2prummi.console.players.model import PlayersModel
from p2prummi.console.rack.model import RackModel
from p2prummi.console.result import model as result_model
from p2prummi.console.result.model import ResultModel
from p2prummi.console.setup import model as setup_model
from p2prummi.console.setup.model import SetupModel
from p2prummi.console.table import model as table_model
from p2prummi.console.table.model import TableModel
from p2prummi.net.notices import NetNotice, NetworkChanged, PeerMet
from p2prummi.session import notices

if TYPE_CHECKING:
    from p2prummi.console.people import People
    from p2prummi.net.driver import AnyNotice
    from p2prummi.session.notices import Notice


class Screen(StrEnum):
    """The screens there are."""

    LOBBY = "lobby"
    SETUP = "setup"
    GAME = "game"
    RESULT = "result"


class Question(StrEnum):
    """What is asked before something is done that can't be taken back."""

    DRAW = "draw"
    LEAVE = "leave"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What the program answers to what was typed; `trouble`: it was not done."""

    lines: tuple[str, ...] = ()
    trouble: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleModel:
    """The whole state. `match_running` from the signed match to its end."""

    people: People
    screen: Screen = Screen.LOBBY
    match_running: bool = False
    lobby: LobbyModel = field(default_factory=LobbyModel)
    setup: SetupModel = field(default_factory=SetupModel)
    table: TableModel = field(default_factory=TableModel)
    rack: RackModel = field(default_factory=RackModel)
    players: PlayersModel = field(default_factory=PlayersModel)
    log: LogModel = field(default_factory=LogModel)
    result: ResultModel = field(default_factory=ResultModel)
    help: HelpModel = field(default_factory=HelpModel)
    message: Message = field(default_factory=Message)
    question: Question | None = None


def after_notice(model: ConsoleModel, notice: AnyNotice) -> ConsoleModel:
    """The console after a notice."""
    model = replace(model, people=_people(model.people, notice))
    entry = entry_of(notice, model.people)
    if entry is not None and not (
        isinstance(notice, NetworkChanged) and notice.online != model.lobby.offline
    ):
        model = replace(model, log=with_entry(model.log, entry))
    if isinstance(notice, NetNotice):
        return replace(model, lobby=lobby_model.after_net_notice(model.lobby, notice))
    return _after_session(model, notice)


def _after_session(model: ConsoleModel, notice: Notice) -> ConsoleModel:
    model = replace(
        model,
        lobby=lobby_model.after_notice(model.lobby, notice),
        setup=setup_model.after_notice(model.setup, notice),
        table=table_model.after_notice(model.table, notice),
        players=players_model.after_notice(model.players, notice),
        result=result_model.after_notice(model.result, notice),
        screen=_screen(model, notice),
        match_running=_is_running(model, notice),
    )
    if model.table.dropped:
        words = "The table has changed under your draft: its tiles are back on your rack."
        model = replace(model, log=with_entry(model.log, Entry(Kind.TROUBLE, words)))
    if model.question is not None and not _still_asked(model):
        model = replace(model, question=None)
    return model


def _people(people: People, notice: AnyNotice) -> People:
    match notice:
        case notices.RoomUpdated(members=members):
            for member in members:
                people = people.met(member.key, member.name)
        case notices.MatchStarted(match=match):
            people = people.seated(match.keys, match.names)
        case notices.PeerJoined(peer=peer, name=name) | notices.PeerLeft(peer=peer, name=name):
            people = people.met(peer, name)
        case PeerMet(peer=peer, name=name, meeting=meeting):
            people = people.met(peer, name).recognised(peer, meeting.recognition)
    return people


def _screen(model: ConsoleModel, notice: Notice) -> Screen:
    match notice:
        case notices.MatchStarted():
            return Screen.SETUP
        case notices.RoomUpdated() if model.lobby.room is None:
            return Screen.LOBBY
        case notices.PhaseProgress(phase=phase) if phase in setup_model.SETUP_PHASES:
            # Others may go on already: the scores stay until one has seen enough of them.
            is_read = model.screen is not Screen.RESULT or model.result.agreed
            return Screen.SETUP if is_read else Screen.RESULT
        case notices.Dealt() | notices.TurnStarted():
            return Screen.GAME
        case notices.RoundEnded() | notices.MatchEnded():
            return Screen.RESULT
        case notices.RoomClosed():
            # The end of a match stays to be read although its room is gone.
            return model.screen if model.screen is Screen.RESULT else Screen.LOBBY
    return model.screen


def _is_running(model: ConsoleModel, notice: Notice) -> bool:
    match notice:
        case notices.MatchStarted():
            return True
        case notices.MatchEnded() | notices.RoomClosed():
            return False
    return model.match_running


def _still_asked(model: ConsoleModel) -> bool:
    """Whether the question that is open still makes sense."""
    if model.question is Question.DRAW:
        position = model.table.position
        return position is not None and model.table.my_turn
    return model.match_running
