import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';

/** Returns what compose.yaml sets for the app, filled in with what deploy/new-env.sh prints. */
export function composeSettings(): Record<string, string> {
  const script = join(projectRoot, 'deploy/new-env.sh');
  const hosts = ['journal.example.com', 'storage.example.com'];
  const lines = execFileSync('sh', [script, ...hosts], { encoding: 'utf8' });
  const made = Object.fromEntries(
    [...lines.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const compose = readFileSync(join(projectRoot, 'compose.yaml'), 'utf8');
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
