import type postgres from 'postgres';

interface Column {
  type: string;
  required: boolean;
  hasDefault: boolean;
}

/** What code can rely on in a database, each part by its name. */
interface Catalog {
  columns: Map<string, Column>;
  /** Labels of enums, and functions with their arguments and results. */
  others: Set<string>;
  /** Constraints and unique indexes, with the columns that they restrict. */
  limits: Map<string, string[]>;
}

export async function readCatalog(sql: postgres.Sql | postgres.TransactionSql): Promise<Catalog> {
  const columns = await sql<(Column & { name: string })[]>`
    select format('%s.%s', c.relname, a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, (a.atthasdef or a.attidentity <> '') as "hasDefault"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
      and a.attnum > 0 and not a.attisdropped`;
  const others = await sql<{ name: string }[]>`
    select format('%s %L', typname, enumlabel) as name from pg_enum join pg_type t on t.oid = enumtypid
    union all select format('%s returning %s', p.oid::regprocedure, pg_get_function_result(p.oid))
    from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'`;
  const limits = await sql<{ name: string; columns: string[] }[]>`
    select format('%s on %s', i.relname, c.relname) as name,
      coalesce((select json_agg(format('%s.%s', c.relname, attname)) from pg_attribute
        where attrelid = c.oid and attnum = any(x.indkey)), '[]') as columns
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where c.relnamespace = 'public'::regnamespace and x.indisunique
    union all
    select format('%s on %s', conname, c.relname),
      coalesce((select json_agg(format('%s.%s', c.relname, attname)) from pg_attribute
        where attrelid = c.oid and attnum = any(conkey)), '[]')
    from pg_constraint join pg_class c on c.oid = conrelid
    where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'x')`;
  return {
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    others: new Set(others.map(({ name }) => name)),
    limits: new Map(limits.map((limit) => [limit.name, limit.columns])),
  };
}

const tableOf = (column: string) => column.split('.')[0];

/** Returns what code that was written for `before` may not survive in `after`, in words. */
export function findBreakingChanges(before: Catalog, after: Catalog): string[] {
  const changes: string[] = [];
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name);
    if (!is) changes.push(`removes ${name}`);
    else if (is.type !== was.type) changes.push(`changes the type of ${name}`);
    else if (is.required && !was.required) changes.push(`requires ${name}`);
    else if (is.required && was.hasDefault && !is.hasDefault) changes.push(`removes the default of ${name}`);
  }
  const tables = new Set([...before.columns.keys()].map(tableOf));
  for (const [name, is] of after.columns) {
    const isNew = tables.has(tableOf(name)) && !before.columns.has(name);
    if (isNew && is.required && !is.hasDefault) changes.push(`adds ${name} without a default`);
  }
  for (const name of before.others) if (!after.others.has(name)) changes.push(`removes ${name}`);
  for (const [name, columns] of after.limits) {
    const restrictsOld = columns.every((column) => before.columns.has(column));
    if (!before.limits.has(name) && columns.length > 0 && restrictsOld) changes.push(`adds ${name}`);
  }
  return changes;
}
