"""The guide for players."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .tasks import Guide, Picture, Task

PLAYERS = Guide(
    "players",
    "user",
    _("For players"),
    _("Play in an event, from registration to the last result."),
    (
        Task(
            "enter",
            _("Register for an event"),
            (
                _("Open the event and choose **Register**. If it is full, choose **Join waiting list**."),
                _("No account? An official adds you and gives you a card with a QR code. The code opens your page."),
            ),
        ),
        Task(
            "force",
            _("Build and submit your force"),
            (
                _("Open **My force**, search for a figure by name, number or keyword, and add it."),
                _("The page shows your points, and each broken rule with its section in the rulebook."),
                _("Do you already have a list? Paste it under **Paste a list**, or copy a force from **My forces**."),
                _("Choose **Submit force**. After the deadline, only a judge can replace a submitted force."),
            ),
            Picture("force", "phone", _("The force builder on a phone, with the verdict and the figures of the force")),
        ),
        Task(
            "check-in",
            _("Check in"),
            (
                _(
                    "When you arrive, check in on your page or ask an official. Players who aren't checked in won't "
                    "be paired."
                ),
            ),
        ),
        Task(
            "table",
            _("Find your table"),
            (
                _("When the pairings are published, your page shows your table, your opponent and the time left."),
                _("The page updates by itself. Keep it open."),
                _(
                    "If the site's address begins with https, you can install the site on your phone. Your page "
                    "then opens without a connection too."
                ),
                _(
                    "If the site's address begins with https and you have an account, **Notify me about "
                    "pairings** works even while the page is closed. It also tells you when five minutes are "
                    "left, a judge is coming or your appeal is decided."
                ),
                _(
                    "To get your table by e-mail in each round, tick **E-mail me my table when pairings are "
                    "published** in your account under **My details**."
                ),
            ),
            Picture("table", "phone", _("A player's page on a phone, with table, opponent and time left")),
        ),
        Task(
            "call",
            _("Call a judge"),
            (
                _("Choose **Call a judge** on your table's page and say what the call is about."),
                _("The page tells you when a judge is coming. If you lose time, your table gets an extension."),
                _("Do you disagree with a ruling? Appeal to the head judge, whose ruling is final."),
            ),
        ),
        Task(
            "report",
            _("Report your result"),
            (
                _("After the match, both players report the victory points under **My table**."),
                _("If the two reports match, the result is confirmed at once."),
                _(
                    "If the reports don't match, correct yours, choose **Accept my opponent's report**, or call "
                    "a judge."
                ),
            ),
        ),
        Task(
            "team",
            _("Play in a team of two"),
            (
                _(
                    "At an event for teams, use **Choose partner** on your page. You're a team once you've both "
                    "chosen each other."
                ),
                _(
                    "Two teams meet at two neighbouring tables, or at one table of four. Every result counts "
                    "towards the standings."
                ),
                _("If your partner drops, you won't be paired until a new partner joins."),
            ),
        ),
        Task(
            "four",
            _("Play at a table of four"),
            (
                _("In a **Battle Royale**, your page shows everyone at your table. You play against all of them."),
                _("After the match, report every player's victory points, and who knocked out whom."),
                _(
                    "The result is confirmed once two players at the table report the same result. Your place decides "
                    "your points."
                ),
            ),
        ),
        Task(
            "boosters",
            _("Draft boosters"),
            (
                _("Keep your booster closed until a judge starts the draft. Then tap **Booster draft** on your page."),
                _(
                    "Take one figure, record it, and pass the rest as the page says. The direction changes with each "
                    "booster."
                ),
                _("The figures you recorded become your force. You can also record your picks on paper."),
            ),
        ),
        Task(
            "standings",
            _("Read the standings"),
            (
                _("The first column decides. If players are tied, the next column breaks the tie, and so on."),
                _("A bold value is the one that broke a tie. Players who are still tied share a place."),
                _("Each column is explained below the standings."),
            ),
        ),
        Task(
            "series",
            _("Follow a series"),
            (
                _(
                    "A series combines the results of several events into one set of standings. The event's page "
                    "links to these standings, where your row is marked."
                ),
                _(
                    "An event counts towards the standings as soon as it has finished. **How points are counted** says "
                    "which of your results count towards them."
                ),
                _("Sign in with the same account at each event, or play under the same name."),
                _("To pick prizes on your phone in the series' prize draft, you need an account."),
            ),
        ),
        Task(
            "prizes",
            _("Pick prizes"),
            (
                _(
                    "In a prize draft, first place picks first. Last place picks twice in a row; the order then runs "
                    "back to first, and so on."
                ),
                _("**Prize draft** on your page shows whose turn it is, what is left and what you picked."),
                _(
                    "When it's your turn, choose **Pick** beside the prize. Are you away? An official can skip your "
                    "turn."
                ),
            ),
            Picture("prizes", "phone", _("A prize draft on the phone of the player whose turn it is")),
        ),
        Task(
            "leave",
            _("Leave early"),
            (
                _("After your match, choose **Drop from event** on your page. You won't be paired again."),
                _("If you leave during a match, you lose it and are dropped from the event."),
                _("Did you drop by mistake? Ask the head judge."),
            ),
        ),
        Task(
            "data",
            _("See or erase your data"),
            (
                _(
                    "The **My data** page of your account shows everything the site keeps about you. You can erase it "
                    "there."
                ),
                _(
                    "Your public profile is off until you turn it on under **Public profile**. It shows the "
                    "finished events you played in, and standings link to it."
                ),
                _(
                    "Are you under 18? Say so under **My details**. Pages and posted sheets will then shorten your "
                    "name, "
                    "even for past events. The result sheet will still show your full name."
                ),
            ),
        ),
    ),
)
