"""What the doctor asks of the auditor's role: that it reads the books, no secret, and no more.

The role is asked for by `to_regrole`, so that a database without it is told of it in a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

AUDITOR: Final[Mapping[str, str]] = {
    "there is no role {}, so nobody can be let in to read": """
        SELECT wanted FROM (VALUES ('baize_auditor')) AS roles (wanted)
        WHERE to_regrole(wanted) IS NULL
    """,
    "the auditor may {}": """
        SELECT format('%%s %%s', privilege, relname)
        FROM pg_class, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER'])
             AS privilege
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v')
          AND (has_table_privilege(to_regrole('baize_auditor'), oid, privilege)
               OR privilege IN ('INSERT', 'UPDATE')
                  AND has_any_column_privilege(to_regrole('baize_auditor'), oid, privilege))
        UNION ALL
        SELECT format('CREATE in the schema %%s', current_schema())
        WHERE has_schema_privilege(to_regrole('baize_auditor'), current_schema(), 'CREATE')
        UNION ALL
        SELECT format('%%s sequence %%s', privilege, relname)
        FROM pg_class, unnest(ARRAY['USAGE', 'UPDATE']) AS privilege
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'
          AND has_sequence_privilege(to_regrole('baize_auditor'), oid, privilege)
        ORDER BY 1
    """,
    "the auditor cannot read {}": """
        SELECT relname FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
          AND (relname ~ '^(ledger|tables|properties|events)_'
               OR relname IN ('staff_auditrow', 'staff_signature'))
          AND has_table_privilege(to_regrole('baize_auditor'), oid, 'SELECT') IS NOT TRUE
        ORDER BY 1
    """,
    "the auditor may read the secret {}": """
        SELECT format('%%s of %%s', attname, relname)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v')
          AND attnum > 0 AND NOT attisdropped
          AND (relname ~ '^(django_session|web_requestkey|oauth2_provider_|axes_)'
               OR attname ~ 'password|pin_hash|token|secret')
          AND has_column_privilege(to_regrole('baize_auditor'), attrelid, attnum, 'SELECT')
        ORDER BY 1
    """,
    "the auditor may call function {}": """
        SELECT proname FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace
          AND prorettype <> 'trigger'::regtype  -- such a one is called by its trigger alone
          AND has_function_privilege(to_regrole('baize_auditor'), oid, 'EXECUTE')
          AND NOT EXISTS (SELECT FROM pg_depend
                          WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
                            AND deptype = 'e')  -- came with an extension
        ORDER BY 1
    """,
    "the auditor's role is also a member of {}": """
        SELECT rolname FROM pg_roles
        WHERE rolname <> 'baize_auditor'
          AND pg_has_role(to_regrole('baize_auditor'), oid, 'MEMBER')
        ORDER BY 1
    """,
}
"""Questions by the sentence that their answers are put into, as `ledger.doctor` asks them."""
