"""The engine's public interface: code outside the engine imports only these names."""

from .battles import Decision as DecidedBy
from .citations import Authority, Citation, Ruling, RulingStanding, Weight
from .documents import reader
from .documents.adjudication_text import adjudication_in_words, is_needless_sum
from .documents.asking import adjudicate, endings, field_of_view, line_of_fire, reachable, targets, way_to
from .documents.batch import error_report, read_documents, report_on, reports_on, written
from .documents.battle import score_battle
from .documents.cards import read_cards
from .documents.faults import every_fault
from .documents.force import check_force
from .documents.shapes import file_shapes
from .documents.text import battle_in_words, error_in_words, force_in_words
from .edition import Check, Edition
from .editions import CHECKS, EDITIONS
from .editions.corrections import written_corrections
from .editions.headings import Heading, Headings, headings
from .editions.power_texts import PowerText, power_rows, power_text, powers_on
from .editions.rulings import (
    Topic,
    find_rulings,
    may_decide,
    particular,
    ruling,
    rulings,
    shared_topics,
    topic_kinds,
    topic_places,
    topics,
)
from .editions.wording import Question, page_texts, questions
from .errors import BadInput, escaped, refuse
from .limit import TookTooLong, time_is_over, time_limit
from .play import AttackKind
from .position.cards import NAMELESS
from .position.edges import read_edge
from .position.squares import Square, column_letters, read_square
from .power import Lending, Power
from .powers.cards import adjudicated as is_adjudicated
from .reasons import PartKind
from .steps import StepName

__all__ = [
    "CHECKS",
    "EDITIONS",
    "NAMELESS",
    "AttackKind",
    "Authority",
    "BadInput",
    "Check",
    "Citation",
    "DecidedBy",
    "Edition",
    "Heading",
    "Headings",
    "Lending",
    "PartKind",
    "Power",
    "PowerText",
    "Question",
    "Ruling",
    "RulingStanding",
    "Square",
    "StepName",
    "TookTooLong",
    "Topic",
    "Weight",
    "adjudicate",
    "adjudication_in_words",
    "battle_in_words",
    "check_force",
    "column_letters",
    "endings",
    "error_in_words",
    "error_report",
    "escaped",
    "every_fault",
    "field_of_view",
    "file_shapes",
    "find_rulings",
    "force_in_words",
    "headings",
    "is_adjudicated",
    "is_needless_sum",
    "line_of_fire",
    "may_decide",
    "page_texts",
    "particular",
    "power_rows",
    "power_text",
    "powers_on",
    "questions",
    "reachable",
    "read_cards",
    "read_documents",
    "read_edge",
    "read_square",
    "reader",
    "refuse",
    "report_on",
    "reports_on",
    "ruling",
    "rulings",
    "score_battle",
    "shared_topics",
    "targets",
    "time_is_over",
    "time_limit",
    "topic_kinds",
    "topic_places",
    "topics",
    "way_to",
    "written",
    "written_corrections",
]
