"""What keeps an event safe: files, snapshots, backups and paper; moving it to another machine; erasing a person's data.

Others (views, commands, `judging.background`, `judging.findings`) call these modules:

    snapshots   an event as it was before each step that is hard to take back, and the way back to it
    backups     the whole installation in one file, and restoring it
    bundles     the paper of each published round in one PDF
    moving      an event handed over to another machine, and imported from one that is believed
    copied      an event imported as a copy, from a file that nobody known here signed
    uploaded    a file that someone sent: looked at, then imported, in a process of its own where it is large
    machines    machines whose files are believed here
    personal    what the site keeps about a person, given out
    erasure     what the site keeps about a person, taken out
    event_file  the event as one document, for reading (`whole_file` adds what reading it back needs)
    storage     files under `DATA_DIR`, written whole or not at all

The rest serves them: `rows` (an event's rows as values with numbers of their own), `whole_file`, `signatures`,
`comparing` (a file beside what is here), `placing` (its rows written), `restoring` (rows made those of an earlier
state), `copying` (what a file becomes as a copy), `scrubbing` and `erasure_copies` (names taken out of rows, snapshots
and files). Imports among them point one way; the contract in `pyproject.toml` lists the layers.
"""
