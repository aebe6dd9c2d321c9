import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Where the migrations are: beside this file, or two folders above a program that `npm run build` has bundled. */
const FOLDERS = [path.join(here, 'migrations'), path.join(here, '../../db/migrations')];

export interface Migration {
  hash: string;
  /** When it was generated, in milliseconds. Names the migration in the database, and orders them. */
  at: number;
  statements: string[];
  /**
   * Set in a migration that removes what older code uses: the newest migration that code must know to run with it. See
   * "Expand, then contract" in CONTRIBUTING.md.
   */
  needs: number | null;
}

/** The first line of a migration that removes something: `-- contract: needs 1795420423742`. */
const CONTRACT = /^-- contract: needs (\d+)$/m;

/** Returns all migrations, oldest first. @throws Error if their folder is missing */
export function readMigrations(): [Migration, ...Migration[]] {
  const folder = FOLDERS.find((candidate) => existsSync(candidate));
  if (!folder) throw new Error('The folder db/migrations is missing. Deploy it along with the build.');
  const migrations = readMigrationFiles({ migrationsFolder: folder }).map(({ sql, hash, folderMillis }) => {
    const needs = CONTRACT.exec(sql.join('\n'))?.[1];
    return { hash, at: folderMillis, statements: sql, needs: needs ? Number(needs) : null };
  });
  return migrations as [Migration, ...Migration[]];
}
