"""Obstacles to lines of fire: one function for each family of books.

A *scene* is the ground with the bases on it, a *sight* everything about the two ends of a line that matters. A screen
function returns why no line can be drawn at all, or the obstacles: sets of squares and edges with their effect on a
line and the topic that cites them. The squares of the two ends never block. No lines are drawn here.
"""

from __future__ import annotations

from rules.engine.board.scene import NO_EDGES, OFF_THE_RIM, Obstacle, Scene, Screened, Sight
from rules.engine.figures.standing import COLOSSAL, GIANT, SENTINEL


def by_single_elevation(scene: Scene, sight: Sight) -> Screened:
    """Return the obstacles to a line of fire by the 2002 books.

    Any figure in a crossed square blocks, also under soaring figures. Buildings are blocking terrain for lines that
    start or end below their roof. From above, figures and hindering terrain on lower ground don't matter, unless the
    target stands in it; from below they do. Between two roofs only figures and terrain on roofs matter. Soaring figures
    draw lines only to soaring figures and Sentinels; lines up to them are stopped by blocking terrain and not hindered.
    Standard figures don't block lines to or from a Sentinel. (Ranged Combat; Terrain; Sentinels Rules.)
    """
    sentinel = SENTINEL in sight.sizes
    blocking_sizes = (SENTINEL,) if sentinel else None
    if sight.from_soaring and not sight.to_soaring and sight.to_size != SENTINEL:
        return ("a soaring figure has no line of fire to the ground", "soaring"), ()
    if sight.from_soaring and sight.to_soaring:
        return None, tuple(_bodies(scene, sight, sizes=blocking_sizes))
    if sight.from_soaring or sight.to_soaring:
        low = sight.to_level if sight.from_soaring else sight.from_level
        levels = None if low == 1 else tuple(level for level in scene.ground.levels if level >= low)
        return None, (
            *_higher(scene, sight, low),
            *_blocking(scene, sight, at=low, or_higher=True),
            *_bodies(scene, sight, sizes=blocking_sizes, levels=levels),
        )
    from_level, to_level = sight.from_level, sight.to_level
    if sentinel and max(from_level, to_level) > 1:
        from_level = to_level = max(from_level, to_level)
    low = min(from_level, to_level)
    obstacles = [*_higher(scene, sight, low), *_blocking(scene, sight, at=low)]
    if sight.hovering:
        obstacles += _blocking(scene, sight, below=low, indoors_only=True)
    if from_level > to_level:
        obstacles += _bodies(scene, sight, sizes=blocking_sizes, soaring=True)
        obstacles += _hindering(scene, sight, at=None)
    else:
        between_roofs = from_level == to_level > 1
        obstacles += _bodies(
            scene, sight, sizes=blocking_sizes, levels=(low,), soaring=False if between_roofs else None
        )
        obstacles += _hindering(scene, sight, at=low)
    return None, tuple(obstacles)


def by_boundary_lines(scene: Scene, sight: Sight) -> Screened:
    """Return the obstacles to a line of fire by the 2005 book.

    Between elevations the elevated end must be on the rim and the line may cross only rim squares of its own elevated
    terrain; standard figures and hindering terrain below don't matter, blocking terrain, giants and big characters do.
    Between two roofs only big and elevated characters and terrain on the roofs matter. Grounded figures block grounded
    lines, soaring figures lines with a soaring end. Standard figures don't block lines to or from giants; giants and
    big characters do. (Combat Actions › Ranged Combat; Terrain › Elevated Terrain; Special Characters.)
    """
    giant = GIANT in sight.sizes
    tall = frozenset({GIANT, COLOSSAL})
    if sight.from_soaring and not sight.to_soaring and sight.to_size not in tall:
        return ("a soaring character has lines of fire only to soaring, giant and big characters", "soaring"), ()
    always = _bodies(scene, sight, sizes=(GIANT, COLOSSAL) if giant else (COLOSSAL,), soaring=False)
    if sight.from_soaring or sight.to_soaring:
        soaring = _bodies(scene, sight, soaring=True)
        ground_end = sight.to_size if sight.from_soaring else sight.from_size
        if (sight.from_soaring and sight.to_soaring) or ground_end in tall:
            return None, (*soaring, *always)
        elevated = _blocking(scene, sight, at=2, or_higher=True)
        return None, (*soaring, *_bodies(scene, sight, sizes=(GIANT, COLOSSAL), soaring=False), *elevated)
    from_level, to_level = sight.from_level, sight.to_level
    if giant and max(from_level, to_level) > 1:
        from_level = to_level = max(from_level, to_level)
    low = min(from_level, to_level)
    if from_level == to_level:
        standing = () if giant else _bodies(scene, sight, levels=(low,), soaring=False)
        return None, (
            *_higher(scene, sight, low),
            *_blocking(scene, sight, at=low),
            *standing,
            *always,
            *_hindering(scene, sight, at=low),
        )
    ground = scene.ground
    area = sight.from_area if to_level == low else sight.to_area
    if area == OFF_THE_RIM and "elevated" not in sight.past:
        return ("{elevated} isn't on the rim of the elevated terrain", "elevation"), ()
    return None, (
        *_higher(scene, sight, low, but=area & ground.rim),
        *_blocking(scene, sight, at=low, or_higher=True),
        *_bodies(scene, sight, sizes=(GIANT, COLOSSAL), soaring=False),
        *_bodies(scene, sight, levels=tuple(level for level in ground.levels if level > low), soaring=False),
        *_hindering(scene, sight, at=None),
    )


def by_levels(scene: Scene, sight: Sight) -> Screened:
    """Return the obstacles to a line of fire by the books of 2014 and the 2020s.

    Between squares of one level: terrain of that level, higher ground, characters of that level, and giants and
    colossals of any level. Between levels: ground higher than the lower end except the squares at the ends, blocking
    terrain at the lower end's level, giants and colossals; hindering terrain only in the target's square. Blocking
    terrain below both ends doesn't block outdoors; indoors it does in 2014. The sizes that lines pass over differ.
    (2014: Terrain › Elevated Terrain, Line of Fire Chart; 2020s: Terrain › Elevated Terrain, Power and Ability Concepts
    and Terms › Size.)
    """
    low = min(sight.from_level, sight.to_level)
    same = sight.from_level == sight.to_level
    sizes = tuple(size for size in range(SENTINEL + 1) if not _looked_over(scene, sight, size))
    great = tuple(size for size in sizes if size >= GIANT)
    obstacles = [*_higher(scene, sight, low), *_blocking(scene, sight, at=low)]
    if scene.indoor_blocking_below_blocks:
        obstacles += _blocking(scene, sight, below=low, indoors_only=True)
    if same:
        obstacles += _bodies(scene, sight, sizes=sizes, levels=(low,), soaring=None)
        obstacles += _bodies(scene, sight, sizes=great, soaring=None)
        obstacles += _hindering(scene, sight, at=low)
    else:
        obstacles += _bodies(scene, sight, sizes=great, soaring=None)
        obstacles += _hindering(scene, sight, at=None)
    return None, tuple(obstacles)


def _looked_over(scene: Scene, sight: Sight, size: int) -> bool:
    """Return whether characters of that size don't block the line, by the edition's `looked_over`."""
    if scene.looked_over == "smaller":
        return size < max(sight.sizes)
    return size < GIANT <= max(sight.sizes)


def _higher(scene: Scene, sight: Sight, level: int, but: int = 0) -> list[Obstacle]:
    """Return elevated terrain above a level as an obstacle, without the excepted squares."""
    if "elevated" in sight.past:
        return []
    squares = scene.ground.above(level) & ~but
    return [Obstacle("elevation", "higher elevated terrain", "blocked", squares)] if squares else []


def _blocking(
    scene: Scene,
    sight: Sight,
    *,
    at: int | None = None,
    or_higher: bool = False,
    below: int | None = None,
    indoors_only: bool = False,
) -> list[Obstacle]:
    """Return blocking terrain and walls at a level (or higher), or below one, as obstacles."""
    if "blocking" in sight.past:
        return []
    ground = scene.ground
    squares = 0
    edges = NO_EDGES
    walls = scene.walls_by_level
    for level, at_level in ground.at_level.items():
        here = at is not None and (level >= at if or_higher else level == at)
        if here or (below is not None and level < below):
            squares |= at_level & ground.blocking
    for level, of_level in walls.items():
        if (at is not None and level >= at) or (below is not None and level < below):
            edges = edges | of_level
    if indoors_only:
        squares &= ground.indoor
        edges = ground.edges_of(edges, ground.indoor)
    found = []
    if squares:
        found.append(Obstacle("blocking-terrain", "blocking terrain", "blocked", squares))
    if edges.across or edges.down:
        found.append(Obstacle("walls", "a wall", "blocked", 0, edges))
    return found


def _bodies(
    scene: Scene,
    sight: Sight,
    *,
    sizes: tuple[int, ...] | None = None,
    levels: tuple[int, ...] | None = None,
    soaring: bool | None = None,
) -> list[Obstacle]:
    """Return the bases of characters as an obstacle: of some sizes, on some levels (soaring ones on any), or all."""
    if "characters" in sight.past:
        return []
    squares = 0
    for (level, is_soaring, size), bits in scene.standing.bodies.items():
        if sizes is not None and size not in sizes:
            continue
        if soaring is not None and is_soaring is not soaring:
            continue
        if levels is not None and not is_soaring and level not in levels:
            continue
        squares |= bits
    squares &= ~sight.open_bits
    if not squares:
        return []
    closes = scene.characters_close_corners
    return [Obstacle("line-of-fire", "a character", "blocked", squares, NO_EDGES, closes, bodies=True)]


def _hindering(scene: Scene, sight: Sight, *, at: int | None) -> list[Obstacle]:
    """Return hindering terrain of a level (None: only the target's) as an obstacle.

    It blocks lines to a character that hides in it.
    """
    if "hindering" in sight.past:
        return []
    squares = 0
    if at is not None:
        squares = scene.ground.hindering_sight & scene.ground.at_level.get(at, 0)
    if sight.hidden is not None:
        name, topic = sight.hidden
        return [Obstacle(topic, "hindering terrain", "blocked", squares, hindering=True, hides=name)]
    if not squares:
        return []
    return [Obstacle("hindering-terrain", "hindering terrain", "hindered", squares, hindering=True)]
