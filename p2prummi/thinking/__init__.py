"""A strategy's thinking while everything else goes on: in a thread, or in a process of its own."""

from p2prummi.thinking.apart import decide_apart, made_apart
from p2prummi.thinking.process import StrategyProcess
from p2prummi.thinking.thinker import Thinker

__all__ = ["StrategyProcess", "Thinker", "decide_apart", "made_apart"]
