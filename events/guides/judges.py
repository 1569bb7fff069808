"""The guide for judges and scorekeepers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .tasks import Guide, Picture, Task

JUDGES = Guide(
    "judges",
    "scale",
    _("For judges and scorekeepers"),
    _("Run an event, from the first check-in to the verified results."),
    (
        Task(
            "console",
            _("Follow the console"),
            (
                _("The **Console** opens with the next step and its button, and guides you all day."),
                _("The open tables, the waiting calls and the clock are below the next step."),
            ),
            Picture("console", "phone", _("The console on a phone, with the next step at the top")),
        ),
        Task(
            "check-in",
            _("Check players in"),
            (
                _("Tap a player's row to check them in. Tap again to undo."),
                _("**Check in everyone else** checks in all remaining players."),
            ),
        ),
        Task(
            "pair",
            _("Pair and publish a round"),
            (
                _("**Pair round %(number)d** creates a draft that players can't see."),
                _("If you swap two players, the draft shows how much worse the pairing gets."),
                _("**Set round length** on the draft changes the minutes of this round only."),
                _("Use **Announcements** to tell players when the round will start."),
                _("Publish the round. Phones and projectors show the pairings at once."),
                _("On the round's page, choose **Print pairings** or **Print slips**."),
            ),
        ),
        Task(
            "pairing-quality",
            _("Check the pairing quality"),
            (
                _(
                    "The best pairing has the fewest rematches. After that, the bye, the score difference and the "
                    "clubs "
                    "decide, in that order."
                ),
                _("The score difference is the sum of the squared differences in match points. Lower is better."),
                _(
                    "If the draft says “No better pairing exists”, Headjudge has proved it. The draft also gives "
                    "the reason for the bye and for each pair with different scores."
                ),
            ),
            Picture("draft", "desk", _("The draft of a round, with the pairings and their quality")),
        ),
        Task(
            "clock",
            _("Run the clock"),
            (
                _(
                    "Start, pause and extend the round on the **Clock** page. All phones and projectors show "
                    "this clock."
                ),
                _("If a table lost time, give it an extension on its page or when you resolve its call."),
            ),
        ),
        Task(
            "results",
            _("Enter results"),
            (
                _(
                    "Open **Enter results**. Type the table number and each player's points, and press Enter "
                    "after each number."
                ),
                _(
                    "If two reports don't match, open the table, ask both players, then accept one report or enter "
                    "the result."
                ),
            ),
            Picture("results", "desk", _("Results typed one table after another")),
        ),
        Task(
            "four",
            _("Enter results for a table of four"),
            (
                _(
                    "In a **Battle Royale**, enter each player's victory points. The player with the most points "
                    "comes first, and so on."
                ),
                _("If players are tied, they share the place or roll off: the event's settings say which."),
                _("Record who knocked out whom. In an event with teams, Headjudge adds the winning team's bonus."),
            ),
        ),
        Task(
            "boosters",
            _("Watch a booster draft"),
            (
                _(
                    "**Booster draft** on the console shows each table's current pick, the players who haven't "
                    "recorded theirs, and the time left."
                ),
                _(
                    "When the time is up, choose **Pass boosters** to continue. Missing picks stay marked, and you "
                    "can add them later."
                ),
            ),
        ),
        Task(
            "calls",
            _("Answer calls"),
            (
                _("The **Calls** page lists urgent calls first, then the oldest."),
                _(
                    "Take the call, go to the table, then resolve the call. Notes, penalties and extra minutes stay "
                    "with the table."
                ),
            ),
        ),
        Task(
            "dispute",
            _("Settle a dispute"),
            (
                _(
                    "For an answer without a board, use **Quick answers**: name two powers, or describe an "
                    "attack, a move or a push."
                ),
                _("Choose **Set up position**, place the figures, choose the action and enter the dice."),
                _(
                    "Each step shows the board, the calculation and the section of the rulebook. Crossed-out lines aren't "
                    "part of the calculation."
                ),
                _(
                    "“?” means that the rules engine can't tell, for example without the card. You decide, and the step says "
                    "that a judge decided."
                ),
                _("Then record the ruling. The players can appeal to the head judge."),
            ),
            Picture("dispute", "phone", _("A step of a dispute on a phone, with the board and the calculation")),
        ),
        Task(
            "forces",
            _("Verify forces"),
            (
                _("The **Forces** page lists the forces to verify, doubtful ones first."),
                _("Check each figure's base and dial. Headjudge saves your findings with the force."),
            ),
        ),
        Task(
            "penalties",
            _("Give a penalty"),
            (
                _("Choose **Give penalty** on the **Penalties** page or on the table's page."),
                _(
                    "Judges can give cautions and warnings. Only the head judge can give a game loss or a "
                    "disqualification."
                ),
            ),
        ),
        Task(
            "mistakes",
            _("Undo a mistake"),
            (
                _(
                    "**Undo** appears after most actions. You can undo earlier ones in the **Audit log**, which first "
                    "shows you what will change."
                ),
                _("For a wrong result, choose **Correct result** on the table's page."),
            ),
        ),
        Task(
            "finish",
            _("Finish the event"),
            (
                _("After the last round, choose **Finish event** and check the result sheet."),
                _("Choose **Verify results**. The results are then locked, and the venue gets its copy."),
                _("Report to the sanctioning office within 16 days of the end of the event."),
            ),
        ),
    ),
)
