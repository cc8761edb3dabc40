"""Every limit of the protocol, in one place: what a peer may send, how much, how fast and how long.

Whatever goes over a limit is a fault with a name (`FaultCode.LIMIT_EXCEEDED` or a more exact one), never a
traceback and never memory without bound. `protocol/spec/limits.md` gives each figure with its reason; a test
holds the two against each other. Sizes are in bytes, times in seconds unless the name says otherwise.
"""

from __future__ import annotations

from typing import Final

# Encoded values.
DEPTH_MAX: Final = 8
ARRAY_ITEMS_MAX: Final = 256
MAP_ENTRIES_MAX: Final = 64
TEXT_BYTES_MAX: Final = 1024
BLOB_BYTES_MAX: Final = 48 * 1024

# Frames on a link.
FRAME_BYTES_MAX: Final = 64 * 1024
HANDSHAKE_FRAME_BYTES_MAX: Final = 4 * 1024
FRAMES_PER_SECOND_MAX: Final = 400
FRAMES_BURST_MAX: Final = 1200
QUEUE_BYTES_MAX: Final = 8 * 1024 * 1024

# Connections.
PENDING_CONNECTIONS_MAX: Final = 16
LINKS_MAX: Final = 16
HANDSHAKE_SECONDS_MAX: Final = 5.0
CLAIM_SECONDS_MIN: Final = 2 * HANDSHAKE_SECONDS_MAX
CODE_FAILURES_PER_MINUTE_MAX: Final = 10

# Fields.
NAME_BYTES_MAX: Final = 32
ROOM_NAME_BYTES_MAX: Final = 48
CHAT_BYTES_MAX: Final = 500
CHAT_PER_MINUTE_MAX: Final = 60
INTRODUCTIONS_PER_MINUTE_MAX: Final = 64
ADDRESS_BYTES_MAX: Final = 64
ADDRESSES_MAX: Final = 16
VERSIONS_MAX: Final = 16
PROGRAM_BYTES_MAX: Final = 32
REFUSAL_CODE_BYTES_MAX: Final = 40
REFUSAL_TEXT_BYTES_MAX: Final = 400
SEATS_MIN: Final = 2
SEATS_MAX: Final = 6
TILES_MAX: Final = 160
MELDS_MAX: Final = 53
ROUNDS_MAX: Final = 100
SEQUENCE_MAX: Final = 4096
PROPOSALS_MAX: Final = 10_000

# What a session keeps of events and acknowledgements that are ahead of its own state.
SLOTS_AHEAD_MAX: Final = SEATS_MAX + 4
MESSAGES_AHEAD_MAX: Final = 4 * SEATS_MAX

# Timers of a running match.
HEARTBEAT_SECONDS: Final = 2.0
AWAY_SECONDS: Final = 6.0
LINK_SILENT_SECONDS_MAX: Final = 30.0
PROPOSAL_SECONDS_MAX: Final = 10.0
FORK_SECONDS_MAX: Final = 10.0
GAP_SECONDS_MAX: Final = 2.0
HEARSAY_SECONDS_MAX: Final = 2.0

# Files on disk.
TRANSCRIPT_BYTES_MAX: Final = 64 * 1024 * 1024
EVIDENCE_BYTES_MAX: Final = 256 * 1024
