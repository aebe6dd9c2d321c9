import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';

/** Returns a new folder with a copy of deploy/new-env.sh, which writes to the folder above its own. */
export function newEnvFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-new-env-'));
  mkdirSync(join(folder, 'deploy'));
  cpSync(join(projectRoot, 'deploy/new-env.sh'), join(folder, 'deploy/new-env.sh'));
  return folder;
}

/** Writes .env in a folder of {@link newEnvFolder}. @throws Error with `status` and `stderr` if the script fails */
export function makeEnv(folder: string): string {
  const hosts = ['journal.example.com', 'storage.example.com'];
  execFileSync('sh', [join(folder, 'deploy/new-env.sh'), ...hosts], { encoding: 'utf8', stdio: 'pipe' });
  return readFileSync(join(folder, '.env'), 'utf8');
}

/**
 * Returns what compose.yaml sets for the app, filled in with the .env that deploy/new-env.sh writes.
 * @param changes what's different in .env; an empty value is one that isn't set
 */
export function composeSettings(changes: Record<string, string> = {}): Record<string, string> {
  const folder = newEnvFolder();
  const lines = makeEnv(folder);
  rmSync(folder, { recursive: true });
  // Docker Compose takes what's in single quotes as it is.
  const made = Object.fromEntries(
    [...lines.matchAll(/^([A-Z0-9_]+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  Object.assign(made, changes);
  const compose = readFileSync(join(projectRoot, 'deploy/compose.yaml'), 'utf8');
  const block = /environment: &settings\n((?: {4}\S.*\n)+)/.exec(compose)?.[1] ?? '';
  const fill = (value: string) =>
    value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, variable: string, kind, fallback) => {
      const given = made[variable] || (kind === '-' ? fallback : undefined);
      if (given === undefined) throw new Error(`deploy/new-env.sh doesn't set ${variable}.`);
      return given;
    });
  return Object.fromEntries(
    [...block.matchAll(/^ {4}([A-Z0-9_]+): (.+)$/gm)].map(([, name, value = '']) => [name, fill(value)]),
  );
}
