"""The facade: one object to feed with links, frames, commands and time, and to empty of what it says.

It only wires: which machine a frame or command is for, and what a fault costs. The room is `lobby.py`, the
match `match.py`, liveness `links.py`. A fault that no signature proves closes the link it came over and is
never passed on; one that is proved ends the match for all (`match.py`). Nothing that comes from a peer raises
here.
"""

from __future__ import annotations

from p2prummi.crypto.deck import PreparedShuffle, prepare_shuffle
from p2prummi.crypto.entropy import Entropy
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, LocalProtocolError, RemoteProtocolError
from p2prummi.session import commands, notices
from p2prummi.session.ahead import Ahead
from p2prummi.session.links import Links
from p2prummi.session.lobby import Lobby, RoomTerms
from p2prummi.session.match import MatchMessage, MatchRun
from p2prummi.session.outbox import Closing, Outbox, Work
from p2prummi.transcript.agreement import room_id, ruleset_hash
from p2prummi.transcript.blame import SignedFaultError
from p2prummi.wire import frames, limits
from p2prummi.wire.events import Event, parse_event
from p2prummi.wire.hello import RoomAdvert
from p2prummi.wire.shown import shown_name

_BYE_TEXT_BYTES = 200


class Session:
    """One peer, without its sockets, clock and screen. `entropy` gives all its randomness."""

    def __init__(self, identity: SigningKey, name: str, entropy: Entropy) -> None:
        commands.check_text(name, "A player's name", limits.NAME_BYTES_MAX)
        self.name = shown_name(name, fingerprint(identity.public))
        self._key = identity
        self._entropy = entropy
        self._outbox = Outbox()
        self._links = Links(self._outbox)
        self._lobby: Lobby | None = None
        self._run: MatchRun | None = None
        self._ahead = Ahead()
        self._over: set[bytes] = set()
        self._latest: dict[bytes, bytes] = {}
        self._shuffle: tuple[int, PreparedShuffle] | None = None
        self._is_preparing = False

    @property
    def public(self) -> bytes:
        """This peer's identity key."""
        return self._key.public

    # Links.

    def peer_connected(self, peer: bytes, name: str, addresses: tuple[str, ...], now: float) -> None:
        """A link to `peer` has passed its handshake; `addresses` are where others can dial it."""
        self._links.up(peer, name, addresses, now)
        self._outbox.notify(notices.PeerJoined(peer, name))
        if self._lobby is not None:
            self._lobby.peer_connected(peer, now)
            self._look(now)

    def peer_lost(self, peer: bytes, why: str, now: float) -> None:
        """The link to `peer` is closed, whoever closed it."""
        self._drop(peer, False, why, now)

    def peer_refused(self, peer: bytes, error: RemoteProtocolError, now: float) -> None:
        """What came over the link to `peer` broke its rules before it could be read: the link is closed."""
        if peer in self._links:
            self._refuse_link(peer, error, now)
            self._look(now)

    def _drop(self, peer: bytes, left: bool, why: str, now: float, *, is_over: bool = False) -> None:
        link = self._links.down(peer)
        if link is None:
            return
        self._outbox.notify(notices.PeerLeft(peer, link.name, left, why))
        self._ahead.forget(peer)
        self._latest.pop(peer, None)
        if self._run is not None:
            if is_over:
                self._run.peer_is_done(peer, link.name, now)
            self._run.peer_lost(peer, link.name, left, why)
        if self._lobby is not None:
            self._lobby.peer_lost(peer, now)
        self._look(now)

    # Commands.

    def command(self, command: commands.Command, now: float) -> None:
        """Does what the local player asks. Raises LocalProtocolError with words for what does not fit."""
        match command:
            case commands.OpenRoom():
                self._open_room(command)
            case commands.JoinRoom():
                self._enter(command.room_id, command.name)
            case commands.SetReady(ready=ready):
                self._room().set_ready(ready, now)
            case commands.StartMatch():
                self._room().start(now)
            case commands.TakeTurn(turn=turn):
                self._playing().take_turn(turn)
            case commands.NextRound():
                self._playing().next_round()
            case commands.SendChat(text=text):
                self._room()
                commands.check_text(text, "A line of talk", limits.CHAT_BYTES_MAX)
                self._outbox.broadcast(self._links, frames.Chat(text))
            case _:
                self._leave()
        self._look(now)

    def _room(self) -> Lobby:
        if self._lobby is None:
            raise LocalProtocolError("You are in no room; open one or join one first.")
        return self._lobby

    def _playing(self) -> MatchRun:
        if self._run is None or self._run.ended is not None:
            raise LocalProtocolError("No match is running.")
        return self._run

    @property
    def _is_playing(self) -> bool:
        return self._run is not None and self._run.ended is None

    def _enter(self, room: bytes, name: str) -> Lobby:
        if self._lobby is not None:
            raise LocalProtocolError("You are in a room already; leave it first.")
        self._lobby = Lobby(
            room_id=room,
            name=name,
            key=self._key,
            own_name=self.name,
            links=self._links,
            outbox=self._outbox,
            entropy=self._entropy,
        )
        return self._lobby

    def _open_room(self, command: commands.OpenRoom) -> None:
        commands.check_text(command.name, "A room's name", limits.ROOM_NAME_BYTES_MAX)
        if not command.ruleset.allows_players(command.seats):
            raise LocalProtocolError(f"These rules are not for {command.seats} players.")
        nonce = self._entropy(32)
        lobby = self._enter(room_id(self.public, nonce), command.name)
        lobby.offer(
            RoomTerms(
                opener=self.public,
                nonce=nonce,
                name=command.name,
                ruleset=command.ruleset,
                seats=command.seats,
                code_required=command.code_required,
            )
        )

    def _leave(self) -> None:
        self._room()
        is_over = self._run is not None and self._run.ended is not None
        if self._run is not None:
            self._run.leave()
        self._outbox.broadcast(self._links, frames.Bye("match_over" if is_over else "left", "", ""))
        self._close_room("You have left the room.")

    def _close_room(self, why: str) -> None:
        """Leaves the room and every link, as a link is always one between two members."""
        for peer in self._links:
            self._links.down(peer)
            self._outbox.close(peer, None, why)
        self._lobby = None
        self._run = None
        self._ahead.clear()
        self._over.clear()
        self._latest.clear()
        self._outbox.notify(notices.RoomClosed(why))

    # Frames.

    def receive(self, peer: bytes, data: bytes, now: float) -> None:
        """Takes a frame's bytes from a link that is up. Whatever they are, nothing is raised."""
        if peer not in self._links:
            return  # The link was closed here while its last frames were under way.
        self._links.heard(peer, now)
        try:
            self._receive(peer, frames.parse_frame(data), now)
        except RemoteProtocolError as error:
            # Where the fault is that of a frame which came before, over another link, the error says so.
            self._refuse_link(error.culprit or peer, error, now)
        self._look(now)

    def _receive(self, peer: bytes, frame: frames.Frame, now: float) -> None:
        match frame:
            case frames.Ping():
                pass
            case frames.Bye(reason=reason, code=code, text=text):
                why = f"{text} ({code})" if reason == "fault" else "said goodbye"
                self._outbox.close(peer, None, why)
                self._drop(peer, reason != "fault", why, now, is_over=reason == "match_over")
            case frames.Chat(text=text):
                if not self._links.may_chat(peer, now):
                    raise RemoteProtocolError(FaultCode.LIMIT_EXCEEDED, "too many lines of talk", peer)
                self._outbox.notify(notices.ChatReceived(peer, self._links.name(peer), text))
            case frames.EventFrame(body=body, signature=signature):
                self._receive_message(peer, parse_event(body, signature), now)
            case frames.Ack() | frames.Want():
                self._receive_message(peer, frame, now)
            case _:
                if self._lobby is not None:
                    self._lobby.receive(peer, frame, now)
                    if isinstance(frame, frames.Presence) and self._run is not None:
                        self._run.receive_links(peer, self._links.name(peer), dict(frame.linked), now)

    def _receive_message(self, peer: bytes, message: MatchMessage, now: float) -> None:
        """Sorts a message of a match: into the running round, or to wait for its round.

        Others may begin the match before its last signature has come here, and a round before this peer has
        all acknowledgements of the one before.
        """
        if message.context in self._over and not self._is_replayed(peer, message):
            assert self._run is not None, "without a match nothing is over"
            self._run.receive_late(peer, message)
            return
        run = self._run
        begins = self._lobby is not None and self._lobby.is_about_to_begin
        if begins or (run is not None and run.is_coming(message.context)):
            if not isinstance(message, frames.Want):  # Whoever lacks something asks again.
                self._ahead.put(peer, message)
        elif run is not None:
            run.receive(peer, message, now)
        else:
            raise RemoteProtocolError(FaultCode.UNEXPECTED_FRAME, "no match is running here", peer)
        self._latest[peer] = message.context

    def _is_replayed(self, peer: bytes, message: MatchMessage) -> bool:
        """Whether a message of something that is over is an event by a peer that has gone on from there.

        What still comes of it otherwise was under way, or its sender is not as far yet.
        """
        latest = self._latest.get(peer, message.context)
        return isinstance(message, Event) and latest != message.context

    def _deliver_ahead(self, run: MatchRun, now: float) -> None:
        """Hands what has waited for a round to it, once it has begun."""
        if run.round is None or run.ended is not None:
            return
        for peer, message in self._ahead.take(run.round.context):
            if peer not in self._links:
                continue  # A message before it has cost the peer its link.
            try:
                self._receive_message(peer, message, now)
            except RemoteProtocolError as error:
                self._refuse_link(peer, error, now)

    def _refuse_link(self, peer: bytes, error: RemoteProtocolError, now: float) -> None:
        """A fault that nobody signed costs its sender the link, and is named by who received it alone."""
        self._outbox.notify(notices.FaultSeen(code=error.code, text=error.text, peer=peer, signed=False))
        words = error.text.encode()[:_BYE_TEXT_BYTES].decode(errors="ignore")
        self._outbox.send(peer, frames.Bye("fault", error.code.value, words))
        self._outbox.close(peer, error.code, error.text)
        self._drop(peer, False, f"{error.text} ({error.code})", now)

    # What goes out.

    def frames_to_send(self) -> list[tuple[bytes, bytes]]:
        """Takes out all frames that wait: (peer, bytes without length prefix), in order."""
        taken = list(self._outbox.frames)
        self._outbox.frames.clear()
        return taken

    def links_to_close(self) -> list[Closing]:
        """Takes out the links to close, each after the frames that were sent before."""
        taken = list(self._outbox.closings)
        self._outbox.closings.clear()
        return taken

    def dials_wanted(self) -> list[tuple[bytes, tuple[str, ...]]]:
        """Takes out the peers to dial, with their addresses."""
        taken = list(self._links.dials)
        self._links.dials.clear()
        return taken

    def next_notice(self) -> notices.Notice | None:
        """Takes out the oldest notice."""
        return self._outbox.notices.popleft() if self._outbox.notices else None

    # Work.

    def next_work(self) -> Work | None:
        """Takes out the oldest work; its result goes to `work_done`, in whatever order it comes."""
        return self._outbox.works.popleft() if self._outbox.works else None

    def has_work(self) -> bool:
        """Whether `next_work` has something to give."""
        return bool(self._outbox.works)

    def work_done(self, work_id: int, result: object, now: float) -> None:
        """Takes a work's result, or the exception that it raised."""
        try:
            self._outbox.work_done(work_id, result, now)
        except SignedFaultError as fault:
            assert self._run is not None, "a signed fault is found in a running match alone"
            self._run.blame(fault)
        except RemoteProtocolError as fault:
            assert self._run is not None, "what others send is judged as work in a running match alone"
            self._run.give_up(fault)
        self._look(now)

    # Time.

    def deadline(self) -> float | None:
        """When `handle_deadline` is to be called next; None while nothing waits for time."""
        machines = (self._links, self._lobby, self._run)
        times = [machine.deadline() for machine in machines if machine is not None]
        return min((time for time in times if time is not None), default=None)

    def handle_deadline(self, now: float) -> None:
        """Does what is due at `now`."""
        for peer in self._links.handle_deadline(now):
            if peer not in self._links:
                continue  # The peer before it was the opener, and with it the room is gone.
            self._outbox.close(peer, FaultCode.LINK_LOST, "silent for too long")
            self._drop(peer, False, f"silent for {limits.LINK_SILENT_SECONDS_MAX:.0f} seconds", now)
        if self._lobby is not None:
            self._lobby.handle_deadline(now)
        if self._run is not None:
            self._handle_deadline_of(self._run, now)
        self._look(now)

    def _handle_deadline_of(self, run: MatchRun, now: float) -> None:
        try:
            run.handle_deadline(now)
        except RemoteProtocolError as error:
            if error.culprit is not None and error.culprit in self._links:
                self._refuse_link(error.culprit, error, now)

    # From room to match and back.

    def _look(self, now: float) -> None:
        """Begins the match once all have signed, and makes the room a lobby again once it is over."""
        if self._lobby is None:
            return
        self._prepare_shuffle(self._lobby)
        if self._run is not None:
            self._run.look()
            self._deliver_ahead(self._run, now)
        if self._lobby.match is not None and (self._run is None or self._run.match is not self._lobby.match):
            self._begin(self._lobby, now)
        elif self._lobby.match is not None and not self._is_playing:
            self._lobby.reopen(now)
        if self._lobby.is_deserted and not self._is_playing:
            self._close_room(f"{self._lobby.opener_name}, who opened the room, is gone.")

    def _begin(self, lobby: Lobby, now: float) -> None:
        assert lobby.match is not None, "a match begins once it is agreed"
        self._run = MatchRun(
            match=lobby.match, key=self._key, outbox=self._outbox, entropy=self._entropy, over=self._over
        )
        prepared, self._shuffle = self._shuffle, None
        size = lobby.match.ruleset.tile_set.size
        self._run.begin(prepared[1] if prepared is not None and prepared[0] == size else None, now)
        self._deliver_ahead(self._run, now)

    def _prepare_shuffle(self, lobby: Lobby) -> None:
        """Makes, while people sit in the lobby, what a shuffle needs before there is a deck or a key."""
        if lobby.terms is None or self._is_preparing or self._is_playing:
            return
        size = lobby.terms.ruleset.tile_set.size
        if self._shuffle is not None and self._shuffle[0] == size:
            return
        self._is_preparing = True

        def prepared(shuffle: object, _now: float) -> None:
            assert isinstance(shuffle, PreparedShuffle), "nothing that others send goes into it"
            self._is_preparing = False
            self._shuffle = (size, shuffle)

        self._outbox.schedule(prepared, prepare_shuffle, size, self._entropy)

    def advert(self) -> RoomAdvert:
        """What to tell the network now."""
        lobby = self._lobby
        if lobby is None or lobby.terms is None:
            return RoomAdvert()
        return RoomAdvert(
            state="playing" if self._is_playing else "open",
            room_id=lobby.room_id,
            name=lobby.name,
            opener=lobby.terms.opener,
            ruleset_name=lobby.terms.ruleset.name,
            ruleset_hash=ruleset_hash(lobby.terms.ruleset),
            seats_taken=min(len(lobby.member_keys()), lobby.terms.seats),
            seats=lobby.terms.seats,
            code_required=lobby.terms.code_required,
        )
