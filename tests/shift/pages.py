"""A page as whoever uses it finds it: headings, sentences, links, and forms with their fields.

Only what the markup holds is offered, so a test can send nothing that a browser would not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from typing_extensions import override

VOID = frozenset({"input", "link", "meta", "br", "hr", "img", "use", "path"})


@dataclass(slots=True, kw_only=True)
class Words:
    """An element and the text in it."""

    text: str = ""


@dataclass(slots=True, kw_only=True)
class Button(Words):
    """A button that sends its form."""

    name: str
    value: str
    action: str


@dataclass(slots=True, kw_only=True)
class Form:
    """A form: where it goes, what it holds, and the buttons that are not disabled."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, dict[str, str]] = field(default_factory=dict)
    """Name of a radio group → id of each of its choices → the value."""
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Link(Words):
    """A link that can be followed."""

    href: str


class Page(HTMLParser):
    """One parsed page."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.links: list[Link] = []
        self.headings: list[Words] = []
        self.labels: dict[str, Words] = {}
        """Id of a field → what stands beside it."""
        self._words = Words()
        self._form: Form | None = None
        self._open: list[tuple[str, Words | None]] = []
        self.feed(markup)
        self.close()

    @property
    def said(self) -> str:
        """Return all words of the page."""
        return _drawn(self._words)

    @property
    def heading(self) -> str:
        """Return the first heading of the page."""
        return _drawn(self.headings[0]) if self.headings else ""

    def form_with(self, button: str) -> tuple[Form, Button]:
        """Return the form that has *button*, found by the words it begins with, and the button."""
        for form in self.forms:
            for each in form.buttons:
                if _begins(each, button):
                    return form, each
        raise AssertionError(f"no button {button!r} on this page: {self.said}")

    def offers(self, button: str) -> bool:
        """Tell whether the page has a button that begins with these words."""
        return any(_begins(each, button) for form in self.forms for each in form.buttons)

    def link_to(self, text: str) -> str:
        """Return where the link that begins with these words leads."""
        for link in self.links:
            if _drawn(link).startswith(text):
                return link.href
        raise AssertionError(f"no link {text!r} on this page: {self.said}")

    def choice(self, group: str, words: str) -> str:
        """Return the value of the one choice of a radio group beside which these words stand."""
        [value] = [
            value
            for form in self.forms
            for place, value in form.choices.get(group, {}).items()
            if words in _drawn(self.labels[place])
        ]
        return value

    # --- the parser's own

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        words: Words | None = None
        if tag == "form":
            self._form = Form(action=given.get("action", ""))
            self.forms.append(self._form)
        elif tag == "input" and self._form is not None:
            _put_field(self._form, given)
        elif tag == "button" and self._form is not None and _sends(given):
            words = _put_button(self._form, given)
        elif tag == "a":
            words = Link(href=given.get("href", ""))
            self.links.append(words)
        elif tag == "label":
            words = self.labels.setdefault(given.get("for", ""), Words())
        elif tag in {"h1", "h2"}:
            words = Words()
            self.headings.append(words)
        if tag not in VOID:
            self._open.append((tag, words))

    @override
    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "form":
            self._form = None

    @override
    def handle_data(self, data: str) -> None:
        for words in (self._words, *(words for _tag, words in self._open if words)):
            words.text += data


def _drawn(words: Words) -> str:
    return " ".join(words.text.split())


def _begins(button: Button, words: str) -> bool:
    return f"{_drawn(button)} ".startswith(f"{words} ")


def _sends(given: dict[str, str]) -> bool:
    return given.get("type", "submit") == "submit" and "disabled" not in given


def _put_button(form: Form, given: dict[str, str]) -> Button:
    names = {"name": "name", "value": "value", "action": "formaction"}
    button = Button(**{name: given.get(attribute, "") for name, attribute in names.items()})
    form.buttons.append(button)
    return button


def _put_field(form: Form, given: dict[str, str]) -> None:
    name = given.get("name")
    if not name or "disabled" in given:
        return
    if given.get("type") == "radio":
        form.choices.setdefault(name, {})[given.get("id", given["value"])] = given["value"]
        if "checked" not in given:
            return
    form.fields[name] = given.get("value", "")
