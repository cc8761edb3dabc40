"""The log: what happened, in words, and what people say."""
