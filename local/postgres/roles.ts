import type postgres from 'postgres';
import { openDatabase } from '@/db/connect';
import { ADMIN_ROLE, type Cluster } from './cluster';

/** The name of the app's role and of its database. The role owns the database and has no other rights. */
const APP_ROLE = 'daylight';
/** Renames the superuser of an older cluster: a role can't rename itself. */
const TEMPORARY_SUPERUSER = 'daylight_renamer';

const databaseUrl = (role: string, password: string, port: number, database: string): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;

/** Returns the address of the app's database as the role that owns it. */
export const appDatabaseUrl = ({ password }: Cluster, port: number, database = APP_ROLE): string =>
  databaseUrl(APP_ROLE, password, port, database);

/** Returns the address of a database as the superuser. */
export const adminDatabaseUrl = ({ adminPassword }: Cluster, port: number, database = 'postgres'): string =>
  databaseUrl(ADMIN_ROLE, adminPassword, port, database);

/** Runs `work` on one short connection. */
export async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Earlier versions made `daylight` the superuser. Renames that role, which keeps everything it owns, and gives it the
 * superuser's password, in one transaction. Every step can be repeated after a crash.
 */
async function renameOldSuperuser(cluster: Cluster, port: number): Promise<void> {
  const isOld = await withConnection(appDatabaseUrl(cluster, port, 'postgres'), async (sql) => {
    const [role] = await sql`select rolsuper from pg_roles where rolname = current_user`;
    if (!role?.rolsuper) return false;
    // The passwords are base64url, so they need no escaping.
    await sql.unsafe(`drop role if exists ${TEMPORARY_SUPERUSER}`);
    await sql.unsafe(
      `create role ${TEMPORARY_SUPERUSER} superuser login password '${cluster.adminPassword}'`,
    );
    return true;
  }).catch((error: { code?: string }) => {
    if (error.code === '28P01') return false;
    throw error;
  });
  if (!isOld) return;
  await withConnection(databaseUrl(TEMPORARY_SUPERUSER, cluster.adminPassword, port, 'postgres'), (sql) =>
    sql.begin(async (tx) => {
      await tx.unsafe(`alter role ${APP_ROLE} rename to ${ADMIN_ROLE}`);
      await tx.unsafe(`alter role ${ADMIN_ROLE} password '${cluster.adminPassword}'`);
    }),
  );
}

/**
 * Makes the app's role the owner of what the superuser created in the app's database. Extensions and their members
 * stay, because only a superuser can own functions in C.
 */
const REASSIGN_OWNERSHIP = `
do $$
declare command text;
begin
  for command in
    with extension_members as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to ${APP_ROLE}', nspname) from pg_namespace n
      where nspowner = 10 and nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
        and ('pg_namespace'::regclass::oid, n.oid) not in (table extension_members)
    union all
    select format('alter %s %I.%I owner to ${APP_ROLE}',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
          when 'f' then 'foreign table' else 'table' end, nspname, relname)
      from pg_class c join pg_namespace n on n.oid = relnamespace
      where relowner = 10 and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and nspname !~ '^pg_' and nspname <> 'information_schema'
        and ('pg_class'::regclass::oid, c.oid) not in (table extension_members)
        -- A column's sequence follows its table.
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and d.deptype in ('a', 'i') and c.relkind = 'S')
    union all
    select format('alter routine %s owner to ${APP_ROLE}', p.oid::regprocedure) from pg_proc p
      join pg_namespace n on n.oid = pronamespace
      where proowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'
        and ('pg_proc'::regclass::oid, p.oid) not in (table extension_members)
    union all
    select format('alter type %I.%I owner to ${APP_ROLE}', nspname, typname) from pg_type t
      join pg_namespace n on n.oid = typnamespace
      where typowner = 10 and typtype in ('e', 'd', 'r') and nspname !~ '^pg_' and nspname <> 'information_schema'
        and ('pg_type'::regclass::oid, t.oid) not in (table extension_members)
    union all
    select format('alter text search configuration %I.%I owner to ${APP_ROLE}', nspname, cfgname) from pg_ts_config f
      join pg_namespace n on n.oid = cfgnamespace
      where cfgowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'
        and ('pg_ts_config'::regclass::oid, f.oid) not in (table extension_members)
    union all
    select format('alter text search dictionary %I.%I owner to ${APP_ROLE}', nspname, dictname) from pg_ts_dict f
      join pg_namespace n on n.oid = dictnamespace
      where dictowner = 10 and nspname !~ '^pg_' and nspname <> 'information_schema'
        and ('pg_ts_dict'::regclass::oid, f.oid) not in (table extension_members)
  loop
    execute command;
  end loop;
end $$`;

/**
 * Creates the app's role and database, or converts those of an earlier version. The role owns the database but isn't a
 * superuser, so an injected query can't read files, run programs or see other databases. Safe to repeat at any point.
 */
export async function prepareRoles(cluster: Cluster, port: number): Promise<void> {
  await renameOldSuperuser(cluster, port);
  await withConnection(adminDatabaseUrl(cluster, port), async (sql) => {
    await sql.unsafe(`drop role if exists ${TEMPORARY_SUPERUSER}`);
    const roles = await sql`select from pg_roles where rolname = ${APP_ROLE}`;
    const verb = roles.length > 0 ? 'alter' : 'create';
    const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
    await sql.unsafe(`${verb} role ${APP_ROLE} ${rights} password '${cluster.password}'`);
    const [database] = await sql`select datdba = 10 as is_old from pg_database where datname = ${APP_ROLE}`;
    if (!database) await sql.unsafe(`create database ${APP_ROLE} owner ${APP_ROLE}`);
    if (!database?.is_old) return;
    await withConnection(adminDatabaseUrl(cluster, port, APP_ROLE), (own) => own.unsafe(REASSIGN_OWNERSHIP));
    // Comes last, so that the next start repeats the conversion if this one is killed.
    await sql.unsafe(`alter database ${APP_ROLE} owner to ${APP_ROLE}`);
  });
}
