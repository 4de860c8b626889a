from io import StringIO

from rich.console import Console
from tests.run.report.stories import AFTER, story_of

from distrl.run.report import Comparison, Story, print_summary


def printed(story: Story) -> str:
    file = StringIO()
    print_summary(story, Console(file=file, width=80))
    return file.getvalue()


def test_the_table_shows_both_ends_with_intervals_and_the_gain() -> None:
    text = printed(story_of())
    (row,) = (line for line in text.splitlines() if "general/test" in line)
    assert row.split() == [
        *("general/test", "0.417", "(0.19-0.68)", "0.750", "(0.47-0.91)"),
        *("+33.3", "0.250", "12"),
    ]
    assert text.splitlines()[0].strip() == "quickstart"


def test_the_effort_is_told_in_one_line() -> None:
    told = printed(story_of()).splitlines()[-1]
    assert told == "8,000 episodes, 46,800 steps and 1,560 updates in 6:30 of training"


def test_a_run_whose_start_was_not_evaluated_has_no_gain() -> None:
    comparison = Comparison(name="shopping/unseen", before=None, after=AFTER)
    (row,) = (
        line
        for line in printed(story_of(comparisons=[comparison])).splitlines()
        if "unseen" in line
    )
    assert row.split()[1] == "-"
    assert row.split()[4] == "-"


def test_names_are_text_and_not_markup() -> None:
    assert "[bold]run[/bold]" in printed(story_of(name="[bold]run[/bold]"))
