"""Tables of an empty database, created as they are after the last migration.

Applied one by one, migrations take thirteen seconds, most of them for models between the first and
the last, which an empty database never needs. Nor does it need what migrations do with rows.
"""

from itertools import chain

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import RunPython
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.operations.models import IndexOperation, ModelOperation
from django.db.migrations.recorder import MigrationRecorder

from annotation.migration_operations import CreateModels, ForbidChanges

OF_STATE = (ModelOperation, FieldOperation, IndexOperation, CreateModels)
OF_ROWS = (RunPython,)
KNOWN = (*OF_STATE, *OF_ROWS, ForbidChanges)


def create_tables(connection: BaseDatabaseWrapper) -> bool:
    """Apply all migrations at once; return False if they must be applied one by one.

    That is so in a database with tables, and if a migration has an operation that isn't KNOWN.
    """
    names = set(connection.introspection.table_names())
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    steps = [step for step, _ in executor.migration_plan(graph.leaf_nodes())]
    operations = list(chain.from_iterable(step.operations for step in steps))
    if (
        names - {MigrationRecorder.Migration._meta.db_table}
        or executor.loader.applied_migrations
        or executor.loader.detect_conflicts()
        or not all(isinstance(operation, KNOWN) for operation in operations)
    ):
        return False
    state = executor.loader.project_state(graph.leaf_nodes())
    executor.recorder.ensure_schema()
    with connection.schema_editor(atomic=True) as editor:
        for model in state.apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        for operation in operations:
            if isinstance(operation, ForbidChanges):
                operation.database_forwards("", editor, state, state)
        for step in steps:
            executor.record_migration(step)
    return True
