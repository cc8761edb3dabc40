"""The console: what a person sees, and what the things they type lead to.

Each component (`lobby`, `setup`, `table`, `rack`, `players`, `log`, `result`, `help`) is three files: a
*model*, a frozen value that follows the session's notices; a *presenter*, which says what there is to show;
and a *view*, which gives it columns and styles. None of them knows the terminal. Around them: `model.py`
holds all components together, `director.py` does what is typed, `screen.py` puts the views on one screen,
`app.py` alone runs the terminal. What is asked of the network is the protocol in `port.py`.
"""
