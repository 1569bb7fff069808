"""Protection of an event's data: files, snapshots, backups and paper; moving events between machines; erasing a person.

Views, commands, `judging.background` and `judging.findings` call these modules:

    snapshots   an event as it was before each step that is hard to reverse, and restoring it
    backups     the whole installation in one file, and restoring it
    bundles     the paper of each published round in one PDF
    moving      events handed over to another machine, and trusted event files imported
    copied      untrusted event files imported as a new event
    uploaded    uploaded files, previewed and imported (large ones in a separate process)
    machines    the machines whose files are trusted here
    personal    everything the site stores about a person, exported
    erasure     everything the site stores about a person, erased
    event_file  the event as one readable document (`whole_file` adds what importing it needs)
    storage     files under `DATA_DIR`, written completely or not at all

These use the others: `rows` (an event's rows as values with file-wide numbers), `whole_file`, `signatures`, `comparing`
(a file compared with the database), `placing` (its rows written), `restoring` (rows set back to an earlier state),
`copying` (a file turned into a new event), `scrubbing` and `erasure_files` (names removed from rows, snapshots and
files). Imports among them point one way; the contract in `pyproject.toml` lists the layers.
"""
