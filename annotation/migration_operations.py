"""Operations that Django lacks: many tables at once, and rows that nobody changes."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Makes the models of an app at once, from what `makemigrations` writes for an empty one.

    Taken one by one, Django makes after each operation all models anew that are related to its
    own, which takes ten times as long as making the tables. Here the tables are made as they are
    at the end, and the models once.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # made again where they are asked for
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for table in self._tables():
            table.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for table in reversed(self._tables()):
            table.database_backwards(app_label, schema_editor, from_state, to_state)

    def _tables(self) -> list[CreateModel]:
        return [operation for operation in self.operations if isinstance(operation, CreateModel)]

    def describe(self) -> str:
        return f"Create models {', '.join(table.name for table in self._tables())}"


class ForbidChanges(Operation):
    """Makes triggers that let nobody change a row of the table, nor delete one if `deletion`.

    With `columns` only these never change: the others are emptied when their row is deleted.
    The column `erasable` may become its `empty` value while all other `columns` stay.

    SQLite makes a table again when it is altered, and drops its triggers without a word: whoever
    alters this one brings them back.
    """

    def __init__(
        self,
        table: str,
        *,
        name: str,
        sentence: str,
        deletion: bool,
        columns: Sequence[str] = (),
        erasable: str = "",
        empty: str = "",
    ) -> None:
        self.erasable, self.empty = erasable, empty
        self.columns = columns
        self.table, self.name, self.sentence = table, name, sentence
        update = f"UPDATE OF {', '.join(columns)}" if columns else "UPDATE"
        self.acts = [update, "DELETE"] if deletion else [update]

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        pass

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor == "sqlite":
            for act, name in self._names_of_sqlite():
                schema_editor.execute(
                    f"CREATE TRIGGER {name} BEFORE {act} ON {self.table} {self._when('IS')}BEGIN\n"
                    f"    SELECT RAISE(ABORT, '{self.sentence}');\nEND"
                )
            return
        schema_editor.execute(
            f"CREATE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$\n"
            f"BEGIN\n    RAISE EXCEPTION '{self.sentence}';\nEND $$;\n"
            f"CREATE TRIGGER {self.name} BEFORE {' OR '.join(self.acts)} ON {self.table}\n"
            f"    FOR EACH ROW {self._when('IS NOT DISTINCT FROM')}EXECUTE FUNCTION {self.name}();"
        )

    def _when(self, same: str) -> str:
        """Return the condition under which a change is forbidden, "" for always."""
        if not self.erasable:
            return ""
        others = [column for column in self.columns if column != self.erasable]
        unchanged = " AND ".join(f"NEW.{column} {same} OLD.{column}" for column in others)
        return f"WHEN (NOT (NEW.{self.erasable} = '{self.empty}' AND {unchanged})) "

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor == "sqlite":
            for _, name in self._names_of_sqlite():
                schema_editor.execute(f"DROP TRIGGER {name}")
        else:
            schema_editor.execute(f"DROP FUNCTION {self.name} CASCADE")

    def _names_of_sqlite(self) -> list[tuple[str, str]]:
        """There a trigger is for one act."""
        if len(self.acts) == 1:
            return [(self.acts[0], self.name)]
        return [(act, f"{self.name}_{act.split()[0]}") for act in self.acts]

    def describe(self) -> str:
        return f"Forbid changes of rows in {self.table}"
