"""The component that adds to each COMPARES_WITH how the comparison turned out: what a sentence
claims about the contribution and one of its entities.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from spacy.tokens import Doc, Span

from stemma.extract.comparison.claim import (
    CLAIM_WORD,
    Amount,
    Claim,
    Form,
    amount_lists,
    amounts,
    claims,
)
from stemma.extract.comparison.standard import (
    METRIC,
    OTHER,
    Role,
    Standard,
    closes_before,
    leading_condition,
    mask,
    metric_in,
    next_comparison,
    standard_of,
    trailing_condition,
)
from stemma.extract.recognition import Relation, component, relations_of, set_relations
from stemma.schema import Comparison, Direction, RelationType

_OF_ENTITY = re.compile(
    r"\s*(?:level |levels )?\b(?:of|by|as)(?: that of)?(?: the| its| an?)?(?: [\w-]+){0,3}\s+$"
)
_BY = re.compile(
    r"\bby(?: an?)?(?: (?:impressive|significant|large|notable|substantial|wide|average))?"
    r"(?: margins? (?:of|up to)| factor)?\s*(?:\(\s*)?$"
)
_OF = re.compile(r",?\s*\b(?:by|of)\s*$")
_ASIDE = re.compile(r"\b(?:despite|while|being|which|although)\b")
_OTHER_LIST = re.compile(rf"{OTHER}+[^{OTHER},;]{{0,20}}?(?:,|\band\b)\s*{OTHER}+")
"""As in "A and B by 2% and 3% on C and D", where the amounts may belong to C and D."""
_OR_BETTER = re.compile(
    r"^match\w* (?:or|and) "
    r"|\b(?:or|and)(?: even)?\s*(?:exceed|outperform|surpass|improv|better|superior)"
)
_RARELY = re.compile(r"[^,;]{0,40}\bin (?:less|fewer|only|just)\b[^,;]{0,20}(?:cases|tasks|%)")
_BY_CASE = re.compile(r"\b(?:on|in|for|with|at|under)\b|,\s*$|^\s*$")
_GAP = re.compile(r"\s*(?:,\s*)?(?:when )?$")
_IN_METRIC = re.compile(
    rf"\b(?:in|on|regarding)(?: terms of| both| all| the)*\s+"
    rf"(?:(?!on\b|for\b|by\b|and\b)[\w@.\ue001-]+[\s-]+){{0,2}}?"
    rf"(?P<metric>{METRIC})(?!\w)"
)
_METRIC_AT_ONCE = re.compile(
    r"(?:['’]s|-(?:level|class))?(?:\s*\([^()]{1,30}\))?\s*(?:in |of )?"
    r"(?:the |top-1 |top-5 |relative |absolute |average ){0,2}"
    rf"(?P<metric>{METRIC})(?!\w)"
)
_RESULTING = re.compile(
    r"(?:['’]s)?(?:[\s-](?!(?:and|by|while|but|with|to)\b)[\w@\ue001-]+){0,5}?,?\s*"
    r"(?:(?:and|by|thus|while|thereby|also) )*(?:achiev\w+|with|yield\w*|deliver\w*|provid\w*"
    r"|offer\w*|obtain\w*|reach\w*|us(?:es|ing)|requir\w+|show\w*|being|is|are|at|reduc\w+"
    r"|improv\w+|sav\w+|utiliz\w+|retain\w*|consum\w+|need\w*|having|runn?\w*|but)\b"
)
_CLAUSE = re.compile(r"[,;]\s+(?:while|whereas|but|although|though)\b|\b(?:while|whereas)\b")
_NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot|fail(?:s|ed)? to|unable to|without|struggl\w+ to|whether|aims? to"
    r"|rather than|may|might|or|to)|n't)\s+(?:\w+ly )?$"
    r"|\bwhether\b[^,;]*$"
)
# Longer texts are no sentences, and the patterns take time that grows with the square of it.
_LONGEST_SENTENCE = 5000
_METRIC_OF_UNIT = {"mAP": "mAP", "AP": "AP", "BLEU": "BLEU", "mIoU": "mIoU", "FPS": "frame rate"}


@component("stemma_comparisons", requires=["doc._.relations"], assigns=["doc._.relations"])
def comparison_reader(doc: Doc) -> Doc:
    """Add to each comparison what the strongest of its sentences that states a result says."""
    entities = doc.ents
    set_relations(
        doc,
        [
            replace(relation, comparison=_compared(relation, entities))
            if relation.type is RelationType.COMPARES_WITH
            else relation
            for relation in relations_of(doc)
        ],
    )
    return doc


def _compared(relation: Relation, entities: Sequence[Span]) -> Comparison | None:
    for sentence in relation.evidence:
        offset = sentence.start_char
        named = [
            (entity.start_char - offset, entity.end_char - offset, entity.id_ or entity.text)
            for entity in entities
            if sentence.start <= entity.start < sentence.end
        ]
        for start, end, name in named:
            if name == relation.entity:
                others = [each[:2] for each in named if each != (start, end, name)]
                if comparison := compare(sentence.text, start, end, others):
                    return comparison
    return None


def compare(
    sentence: str, start: int, end: int, others: Sequence[tuple[int, int]] = ()
) -> Comparison | None:
    """Return what `sentence` says about the paper's contribution compared with an entity.

    `start` and `end` are the span of that entity, `others` the spans of the other entities of the
    sentence (offsets in code points, half open). What the sentence does not clearly say of this
    very entity is left out; None, where nothing is left, or in a text of over 5,000 characters.
    """
    if not 0 <= start < end <= len(sentence) <= _LONGEST_SENTENCE:
        return None
    text = mask(sentence, start, end, others)
    standard = standard_of(text, start, end)
    if standard is None:
        return _as_share(sentence, text, start, end)
    claim = _claim(text, end, standard, amounts(text))
    if claim is None:
        return None
    return _comparison(sentence, text, claim, standard, end)


def _claim(text: str, end: int, standard: Standard, figures: list[Amount]) -> Claim | None:
    match standard.role:
        case Role.THAN:
            return _than(text, standard, figures)
        case Role.AGAINST:
            return _against(text, standard, figures)
        case Role.BEATEN | Role.BEATS:
            return _beaten(text, end, standard, figures)
        case Role.IMPROVED:
            return _improved(text, standard, figures)
        case Role.EQUALLED:
            return _equalled(text, standard, figures)


def _than(text: str, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The nearest comparative before "than"."""
    left = closes_before(text, standard.start)
    found = [
        claim
        for claim in claims(text, left, standard.start, figures)
        if claim.form in (Form.COMPARATIVE, Form.NOUN)
    ]
    boundary = _last_boundary(text, left, standard.start)
    near = [claim for claim in found if claim.start >= boundary]
    if not near or standard.start - near[-1].end > 70:
        return None
    if (chosen := _nearest(near)).amounts:
        return chosen
    amended = _with_amount_after(text, chosen, standard, figures)
    if (
        not amended.amounts
        and amended.direction is Direction.BETTER
        and (amended.metric in (None, "performance"))
    ):
        return _resulting(text, standard, figures) or amended
    return amended


def _against(text: str, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The nearest claim before "compared to", or else after it."""
    left = closes_before(text, standard.start)
    found_left = claims(text, left, standard.start, figures)
    boundary = _last_boundary(text, left, standard.start)
    near = [claim for claim in found_left if claim.start >= boundary] or found_left
    if near:
        chosen = _nearest(near)
        return chosen if chosen.amounts else _with_amount_after(text, chosen, standard, figures)
    if elided := _elided(text, left, standard, figures):
        return elided
    if text[standard.start : standard.end] == "over":
        return None
    return _right(text, standard, figures)


def _nearest(found: Sequence[Claim]) -> Claim:
    """The last claim; of coordinated ones, one with an amount."""
    return next((claim for claim in reversed(found) if claim.amounts), found[-1])


def _elided(text: str, left: int, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The claim of "2x" in "a 3x speedup over X and 2x over Y", and of "+2% over Y"."""
    last = next((figure for figure in reversed(figures) if figure.end <= standard.start), None)
    if last is None or last.start < left or not _GAP.fullmatch(text, last.end, standard.start):
        return None
    before = [claim for claim in claims(text, 0, left, figures) if claim.amounts]
    if before and before[-1].amounts[0].unit == last.unit and not before[-1].is_share:
        return replace(before[-1], start=last.start, end=last.end, amounts=(last,))
    if text[last.start : last.end].lstrip().startswith("+"):
        return Claim(last.start, last.end, Form.NOUN, Direction.BETTER, None, (last,))
    return None


def _resulting(text: str, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The better claim of "outperforms X, achieving a 2x speedup", if no other standard has it."""
    if text[standard.stop : standard.stop + 1] not in ("", ";", "."):
        return None
    for claim in claims(text, standard.list_end, standard.stop, figures):
        if (
            claim.amounts
            and claim.direction is Direction.BETTER
            and _RESULTING.match(text, standard.list_end, claim.end)
        ):
            return claim
    return None


def _right(text: str, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The first claim after the entities' list that has no standard of its own."""
    found = claims(text, standard.list_end, standard.stop, figures)
    return next((claim for claim in found if claim.amounts), found[0] if found else None)


def _figures_after(standard: Standard, figures: list[Amount]) -> list[Amount]:
    """The amounts after the entities' list that belong to no later comparison."""
    start, stop = standard.list_end, standard.stop
    return [figure for figure in figures if start <= figure.start and figure.end <= stop]


def _beaten(text: str, end: int, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The claim of "outperforms X by 3%", of "falls behind X in accuracy"."""
    if _NEGATED.search(text, max(0, standard.start - 60), standard.start):
        return None
    better = standard.role is Role.BEATEN
    direction = Direction.BETTER if better else Direction.WORSE
    plain = Claim(standard.start, standard.end, Form.VERB, direction, None)
    gap = metric_in(text[standard.end : end])
    right = _figures_after(standard, figures)
    for amount in right:
        between = (standard.list_end, amount.start)
        if _BY.search(text, *between) and not (
            CLAIM_WORD.search(text, *between) or _ASIDE.search(text, *between)
        ):
            group = amount_lists(text, right[right.index(amount) :])[0]
            metric = gap or _metric_after(text, group[-1].end)
            return replace(plain, metric=metric, amounts=tuple(group))
    if better and (claim := _resulting(text, standard, figures)):
        return claim
    return replace(plain, metric=gap or _metric_after(text, standard.list_end))


def _improved(text: str, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The claim of "accelerates X by 2x", of "reduces the memory of X by 45%"."""
    found = claims(text, standard.start, standard.stop, figures)
    own = next((claim for claim in found if claim.start == standard.start), None)
    return own if own and own.amounts else None


def _equalled(text: str, standard: Standard, figures: list[Amount]) -> Claim | None:
    """The claim of "comparable to X", or what is better at the same: "while being 2x faster"."""
    if claim := _resulting(text, standard, figures):
        return claim
    if _NEGATED.search(text, max(0, standard.start - 60), standard.start):
        return None
    words = text[standard.start : standard.list_end]
    if _OR_BETTER.search(text[standard.start : standard.end + 30]) or _RARELY.match(
        text, standard.list_end
    ):
        return None
    metric = metric_in(words) or _metric_after(text, standard.list_end)
    return Claim(standard.start, standard.end, Form.VERB, Direction.EQUAL, metric)


def _with_amount_after(text: str, claim: Claim, standard: Standard, figures: list[Amount]) -> Claim:
    """The claim with the amount of "faster than X by 2x", and the metric of "in accuracy"."""
    group: list[Amount] = []
    right = _figures_after(standard, figures)
    leads = _OF if claim.form is Form.NOUN else _BY
    if (
        right
        and leads.search(text, standard.list_end, right[0].start)
        and ("," not in text[standard.list_end + 1 : right[0].start])
    ):
        group = amount_lists(text, right)[0]
    metric = claim.metric or _metric_after(text, group[-1].end if group else standard.list_end)
    return replace(claim, metric=metric, amounts=tuple(group))


def _metric_after(text: str, position: int) -> str | None:
    """The metric of "in terms of accuracy", or of "X's accuracy", "3 points F1"."""
    if at_once := _METRIC_AT_ONCE.match(text, position):
        return metric_in(at_once.group("metric"))
    stop = next_comparison(text, position)
    clause = _CLAUSE.search(text, position, stop)
    match = _IN_METRIC.search(text, position, clause.start() if clause else stop)
    if match and match.start() - position < 60 and "," not in text[position : match.start()]:
        return metric_in(match.group("metric"))
    return None


def _last_boundary(text: str, start: int, end: int) -> int:
    return max([start, *(match.start() for match in _CLAUSE.finditer(text, start, end))])


def _as_share(sentence: str, text: str, start: int, end: int) -> Comparison | None:
    """The comparison of "92% of the accuracy of X", "half of X's parameters"."""
    if not _OF_ENTITY.search(text, max(0, start - 60), start):
        return None
    for claim in reversed(claims(text, 0, min(len(text), end + 40), amounts(text))):
        if claim.form is not Form.SHARE:
            continue
        around = claim.start < start and claim.end > end
        if around or (claim.end <= start and _OF_ENTITY.fullmatch(text, claim.end, start)):
            list_end = max(end, claim.end)
            standard = Standard(Role.THAN, start, end, 0, 1, list_end, len(text))
            return _comparison(sentence, text, claim, standard, end)
    return None


def _comparison(
    sentence: str, text: str, claim: Claim, standard: Standard, end: int
) -> Comparison | None:
    low = high = None
    bound = unit = None
    amount = _amount_for(text, claim, standard)
    if amount is not None:
        low, high, bound, unit = amount.low, amount.high, amount.bound, amount.unit
        if claim.is_share:
            low, high, unit = round(low / 100, 6), round(high / 100, 6), None
    metric = claim.metric or _METRIC_OF_UNIT.get(unit or "") or _metric_after(text, end)
    where = None
    if amount is None or len(claim.amounts) == 1 or amount in claim.amounts:
        where = _condition(text, claim, standard)
    single = low if low == high else None
    if single == 0:
        single = low = high = bound = unit = None
    if low is None and claim.direction is None:
        return None
    return Comparison(
        factor=single if unit is None else None,
        difference=single if unit is not None else None,
        unit=unit,
        low=low if low != high else None,
        high=high if low != high else None,
        bound=bound,
        metric=metric,
        direction=claim.direction,
        condition=sentence[slice(*where)] if where else None,
    )


def _amount_for(text: str, claim: Claim, standard: Standard) -> Amount | None:
    """The amount that is the entity's own: of as many as entities, the one in its place."""
    group = claim.amounts
    if not group:
        return None
    if len(group) == 1:
        return group[0]
    if len(group) == standard.count and not _OTHER_LIST.search(text, standard.list_end):
        return group[standard.place]
    before, found, _ = text.partition("respectively")
    if found and not _BY_CASE.search(
        before, min(len(before), max(group[-1].end, standard.list_end))
    ):
        return None
    low, high = min(amount.low for amount in group), max(amount.high for amount in group)
    first = group[0]
    return Amount(first.start, group[-1].end, low, high, first.unit, first.bound)


def _condition(text: str, claim: Claim, standard: Standard) -> tuple[int, int] | None:
    """What follows the amount or the entities, else what opens the sentence."""
    last = max([claim.end, *(amount.end for amount in claim.amounts)])
    places = []
    if last <= standard.start:
        places = [(last, standard.start), (standard.list_end, len(text))]
    else:
        places = [(max(last, standard.list_end), len(text)), (standard.list_end, last)]
    for position, stop in places:
        found = trailing_condition(text, position, stop)
        if found and not (found[0] < standard.list_end and standard.start < found[1]):
            return found
    found = leading_condition(text)
    if found and found[1] <= min(claim.start, standard.start):
        return found
    return None
