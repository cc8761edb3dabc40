"""What travels, to the byte: canonical encoding, events, frames and the limits on all of them."""
