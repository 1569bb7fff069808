"""The guide for organisers and venue managers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .tasks import Guide, Picture, Task

ORGANISERS = Guide(
    "organisers",
    "store",
    _("For organisers and venues"),
    _("Organise events, from registering a venue to the result sheet."),
    (
        Task(
            "venue",
            _("Register your venue"),
            (
                _("Choose **Register a venue** on the home page. The sanctioning office then approves the venue."),
                _("Then add its halls and its other managers."),
            ),
        ),
        Task(
            "create",
            _("Create an event"),
            (
                _("Choose **Create event**. Most fields are filled in; change what you need."),
                _("If the sanctioning policy doesn't allow a value, the field says so and names the section."),
                _("Under **Time**, you can give the bracket and the final more minutes than other rounds."),
                _("Choose **Open registration**. Until then, players don't see the event."),
            ),
            Picture("create", "desk", _("The form that creates an event, filled in")),
        ),
        Task(
            "officials",
            _("Choose officials"),
            (
                _(
                    "Add officials on the **Officials** page. They accept their role on their home page; until then "
                    "they have no permissions."
                ),
                _(
                    "If an official can't sign in, the head judge can create a sign-in code. It gives access to "
                    "this event only."
                ),
            ),
        ),
        Task(
            "repeat",
            _("Repeat an event"),
            (
                _(
                    "On the event's page, copy the event to its next date. The copy is a draft. Check it, then open "
                    "registration."
                ),
            ),
        ),
        Task(
            "policy",
            _("Follow the sanctioning policy"),
            (
                _("The **Policy compliance** page lists every rule and shows whether the event follows it."),
                _("The sanctioning office can grant an exception, with a reason that everyone can read."),
            ),
        ),
        Task(
            "entries",
            _("Take registrations"),
            (
                _("Players register online. For a player at the door, use **Add player**."),
                _("For a list, use **Import players**: paste one name on each line."),
                _(
                    "If the list has a column for rank or rating, you can pair round 1 by rank, for example the first against the last."
                ),
                _(
                    "Did the event begin in another tool? **Import rounds** on the **Pairings** page adds the "
                    "rounds from that tool."
                ),
            ),
        ),
        Task(
            "screens",
            _("Show and print"),
            (
                _(
                    "**Open display** shows the pairings, the clock and the standings, large enough to read from ten "
                    "metres."
                ),
                _("**Address and QR code for phones** shows players how to open the site."),
                _("You can open pairings, slips, player cards and standings as PDFs and print them."),
            ),
        ),
        Task(
            "royale",
            _("Run a Battle Royale"),
            (
                _(
                    "Create the event with the format **Battle Royale**. Four play at a table; some tables may have "
                    "three."
                ),
                _(
                    "Points by place are 4/3/2/1 unless you change them. The pairings repeat as few opponents as "
                    "possible."
                ),
                _(
                    "The figures that a player drafted are their force. It has no build total unless you set one, and "
                    "no limits such as one of each Unique."
                ),
                _(
                    "Players open sealed boosters and can draft the figures. Slips, lists and the display show "
                    "all players at a table."
                ),
            ),
        ),
        Task(
            "teams",
            _("Run an event for teams of two"),
            (
                _(
                    "Tick **teams of two** in the event's settings. Players choose each other, or you enter both on "
                    "**Teams**."
                ),
                _(
                    "With two players at a table, two teams meet at two tables, and both results count towards the standings. "
                    "With four, two teams share a table."
                ),
                _(
                    "Partners never meet. The standings show teams and players; the console lists the teams that are "
                    "missing a player."
                ),
            ),
        ),
        Task(
            "boosters",
            _("Run a booster draft"),
            (
                _(
                    "Once the round is published, open **Booster draft** on the console and choose **Start booster "
                    "draft**."
                ),
                _(
                    "Each player records their pick on their phone. Once everyone at the table has recorded a pick, "
                    "the players pass the boosters."
                ),
                _(
                    "For a player without a phone, choose **Record on paper**. When the time is up, choose **Pass "
                    "boosters** to continue; you can add missing picks later."
                ),
                _(
                    "The recorded figures become the player's force. **Print draft sheets** prints a sheet for each "
                    "table."
                ),
            ),
        ),
        Task(
            "prizes",
            _("Hold a prize draft"),
            (
                _(
                    "On the console, open **Prize draft** and list the prizes, one per line, or add the figures of "
                    "the submitted forces."
                ),
                _(
                    "After the last round, choose **Start prize draft**. First place picks first. Last place picks "
                    "twice in a row; the order then runs back to first."
                ),
                _(
                    "Players pick on their own phones, or an official records the pick. **Skip turn** asks for a "
                    "reason."
                ),
                _("The display shows whose turn it is and what is left; the result sheet lists the picks."),
            ),
        ),
        Task(
            "series",
            _("Run a series"),
            (
                _(
                    "On your venue's page, choose **Create series**. Set the points for places, wins and attendance, "
                    "how many results count, and how many events make a player eligible."
                ),
                _(
                    "Choose **Add event** to add an event at one of your venues. For an event at another venue, "
                    "enter the address of the event's page. The event joins the series once a manager of that "
                    "venue accepts."
                ),
                _(
                    "Everyone sees the standings. They include an event as soon "
                    "as it has finished, and a corrected result at once."
                ),
                _("If someone without an account played under two names, merge the names on **Players**."),
                _(
                    "Once you've ended the series, list the prizes on **Prize draft** and start the draft. Eligible "
                    "players pick on their phones, or you record their picks. **Open display** shows the standings "
                    "and the draft to the hall."
                ),
            ),
        ),
        Task(
            "result-sheet",
            _("Read the result sheet"),
            (
                _("The sheet shows the event, its officials and the final places, then every match, round by round."),
                _("Double losses, game losses and no-shows are marked where they happened."),
                _("The sheet ends with the penalties, the rulings and all non-standard actions, with their reasons."),
                _("Confirm receipt of the venue's copy, and keep it until the date shown on the page."),
                _(
                    "**E-mail report** sends the sheet and the results to the sanctioning office and the venue's managers. "
                    "You see the recipients first."
                ),
            ),
            Picture("sheet", "page", _("The first page of a result sheet"), is_paper=True),
        ),
        Task(
            "outside",
            _("Show the event outside Headjudge"),
            (
                _(
                    "Open **Embed and broadcast** on the console for the code that puts standings or pairings on your "
                    "website."
                ),
                _(
                    "The page also has a view for streams: the clock, one table with its forces and score, and the "
                    "bracket."
                ),
                _(
                    "Calendar apps can subscribe to the venue's calendar at its own address. The calendar "
                    "doesn't include draft events."
                ),
                _(
                    "If the server's administrator allows webhooks, open **Webhooks** on the event's page to send "
                    "pairings, results and standings to Discord."
                ),
                _(
                    "**Finish and report** exports a spreadsheet of entries, results and standings, and an archive of "
                    "pages that open without Headjudge."
                ),
            ),
        ),
        Task(
            "backups",
            _("Restore or move an event"),
            (
                _(
                    "Headjudge takes a snapshot of a running event every minute. Before you restore one, "
                    "Headjudge shows what will change."
                ),
                _(
                    "To move an event, hand it over on the **Backups and snapshots** page, download its file, "
                    "and import the file on the other machine."
                ),
            ),
        ),
    ),
)
