from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.bench.results.rows import MACHINE, make_result, make_row

from distrl.bench.experiments.page import sections
from distrl.bench.results.page import render
from distrl.bench.results.published import Column, load_published
from distrl.bench.results.record import Result, load_all

DOCS = Path(__file__).parents[3] / "docs"


def line_of(page: str, start: str) -> str:
    """The first line that starts so."""
    return next(line for line in page.splitlines() if line.startswith(start))


def test_the_page_is_what_the_files_beside_it_say() -> None:
    results = load_all(DOCS / "results")
    assert (DOCS / "results.md").exists() == bool(results)
    assert not any(result.quick for result in results)
    if results:
        assert (DOCS / "results.md").read_text("utf-8") == render(
            results, sections(DOCS / "results"), load_published(DOCS / "results")
        )


def with_templates(**successes: int) -> Result:
    """A row that keeps its templates, with 100 episodes each."""
    plain = make_result()
    rows = tuple(replace(make_row(n, 100), template=name) for name, n in successes.items())
    test = next(e for e in plain.evaluations if e.split == "test")
    return replace(plain, suite="pages", evaluations=(replace(test, rows=rows),))


def test_every_template_stands_beside_what_others_published() -> None:
    others = Column(
        name="them", about="By hand.", source="a paper", episodes=10, success={"link": 0.5}
    )
    page = render([with_templates(link=90, list=89)], published={"pages": (others,)})
    lines = page.splitlines()
    assert "| task | success | episodes | steps | them |" in lines
    assert "| link | 0.900 (0.83 to 0.94) | 100 | 5.2 | 0.50 |" in lines
    assert "| list | 0.890 (0.81 to 0.94) | 100 | 5.2 |  |" in lines
    assert "**1 of 2**" in page
    assert "- **them**: By hand. Source: a paper." in lines


def test_rows_without_templates_have_no_such_table() -> None:
    assert "Every task" not in render([make_result()])
    assert "others report" not in render([with_templates(link=90)])


def test_a_success_has_its_interval() -> None:
    page = render([make_result()])
    row = "| quickstart | 0 | 0.875 (0.81 to 0.92) | 0.750 (0.67 to 0.82) |"
    assert row in page.splitlines()
    assert "128 tasks of test and 128 tasks of unseen" in page


def test_several_seeds_have_a_mean_and_a_range() -> None:
    page = render([make_result(seed=0, successes=112), make_result(seed=1, successes=96)])
    assert "| **quickstart** | **mean** | **0.812 (0.750 to 0.875)** |" in page


def test_a_single_seed_has_no_mean() -> None:
    assert "**mean**" not in render([make_result()])


def test_a_policy_without_a_sense_is_told() -> None:
    page = render([make_result()])
    cells = "| quickstart | 0 | 0.875 (0.81 to 0.92) | 0.625 (0.54 to 0.70) | 0.500 ("
    assert cells in page


def test_endings_and_effort_are_told() -> None:
    lines = render([make_result()]).splitlines()
    assert "| quickstart | 0 | 0.062 | 0.031 | 5.2 | 4.5 |" in lines
    assert "| quickstart | 0 | 6.5 | 9.2 | 8,000 | 45,000 | 1,500 |" in lines


def test_every_group_says_how_it_is_made_with_the_command() -> None:
    page = render([make_result(), make_result("cloning")])
    said = line_of(page, "- **cloning**")
    assert "Recipe `quickstart` with `minutes=6`" in said
    assert "`distrl results run --only cloning`" in said


def test_what_there_is_no_row_for_is_not_on_the_page() -> None:
    page = render([make_result()])
    assert "shopping" not in page
    assert "cloning" not in page
    assert "## " not in render([])


def test_an_evaluation_that_was_not_made_leaves_its_cell_empty() -> None:
    result = make_result()
    page = render([replace(result, evaluations=result.evaluations[:1])])
    assert "| quickstart | 0 | 0.875 (0.81 to 0.92) |  |" in page.splitlines()
    assert "Played: 128 tasks of test." in page


def test_what_does_not_apply_is_empty() -> None:
    result = make_result("cloning")
    effort = replace(result.effort, minutes_in_all=None, episodes=None, steps=None)
    lines = render([replace(result, effort=effort)]).splitlines()
    assert "| cloning | 0 | 6.5 |  |  |  | 1,500 |" in lines


def test_every_suite_has_its_own_tables() -> None:
    page = render([make_result(), make_result("shopping")])
    general, shopping = page.index("## general"), page.index("## shopping")
    assert general < page.index("| quickstart | 0 |") < shopping < page.index("| shopping | 0 |")


def test_each_row_names_its_file_its_command_its_code_and_its_machine() -> None:
    other = replace(make_result(seed=1), machine=replace(MACHINE, cores=64))
    page = render([make_result(), other])
    command = "`distrl results run --only quickstart --seeds 1`"
    file = "[quickstart-seed1](results/quickstart-seed1.json)"
    assert f"| {file} | {command} | commit 0123456789 | 2 |" in page.splitlines()
    assert "Machine 1: 2 cores of Chip, 8 GB" in page
    assert "Machine 2: 64 cores of Chip, 8 GB" in page


def test_quick_figures_are_called_so() -> None:
    assert "mean nothing" in render([make_result(), make_result(seed=1, quick=True)])
    assert "mean nothing" not in render([make_result()])


def test_a_policy_that_was_deprived_of_nothing_has_no_section_on_its_senses() -> None:
    whole = make_result()
    only = replace(whole, evaluations=whole.evaluations[:1])
    assert "What the policy looks at" in render([whole])
    assert "What the policy looks at" not in render([only])
