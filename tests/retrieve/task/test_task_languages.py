"""A task in another language is asked without its function words; names that are spelled like them stay."""

from __future__ import annotations

import pytest

from haversack.retrieve.task.languages import without_function_words
from haversack.retrieve.task.lines import read_lines
from haversack.retrieve.understand import understand


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Die Statuszeile passt sich nicht an die Breite an", "statuszeile passt breite"),
        ("La barre n'est pas mise à jour quand la fenêtre change", "barre mise jour fenetre change"),
        ("El reporter no muestra los errores cuando se usa el modo", "reporter muestra errores usa modo"),
        ("O relatório não mostra os erros quando o modo está ativo", "relatorio mostra erros modo ativo"),
        ("Il reporter non mostra gli errori quando si usa la modalità", "reporter mostra errori usa modalita"),
        ("De statusbalk wordt niet bijgewerkt als het venster verandert", "statusbalk bijgewerkt venster verandert"),
        ("Pasek nie jest odświeżany, gdy zmienia się format", "pasek odswiezany zmienia format"),
        ("Bu hata için bir düzeltme gerekli çünkü satır bozuk", "hata duzeltme gerekli satir bozuk"),
        ("Строка не обновляется, когда меняется формат, и это ошибка", "строка обновляется меняется формат ошибка"),
    ],
)
def test_function_words_of_the_language_do_not_count(text: str, terms: str) -> None:
    task = understand(text)
    assert set(task.terms) == set(terms.split())
    assert task.lines[0].lower().split()[0] not in ("die", "la", "el", "o", "il", "de", "bu")


@pytest.mark.parametrize(
    "text",
    [
        "The el variable must die when there are no errors",
        "Add es and de locales",
        "die() in el",
        "Let die, der and das be names of the parser in a test of our own",
        "que es",
    ],
)
def test_an_english_or_a_short_task_keeps_every_word(text: str) -> None:
    lines = read_lines(text)
    assert without_function_words(lines) == lines


def test_names_that_are_spelled_like_function_words_stay() -> None:
    task = understand(
        "Wenn die Zeile nicht passt, ruft `die` die Funktion auf und el.foo() ist nicht da, ob DAS 'der' sei"
    )
    assert {"die", "el", "das", "der"} <= set(task.terms)
    assert not {"wenn", "nicht", "auf", "und", "ob"} & set(task.terms)


def test_code_in_a_task_of_another_language_stays() -> None:
    task = understand(
        "Die Zeile passt sich nicht an\n```js\nconst el = die(der);\n```\nTypeError: der is not a function"
    )
    assert {"el", "der"} <= set(task.terms)


def test_words_that_tell_the_type_and_the_intent_are_read_before_they_go() -> None:
    assert understand("Wie kann ich die Zeile ohne die Breite und mit dem Rand setzen?").intent == "how_to"
    assert understand("¿Por qué no se muestra el error cuando se usa el modo?").type_words


def test_a_task_of_nothing_else_is_asked_as_it_is() -> None:
    assert understand("¿y qué es esto para los que no están?").terms
