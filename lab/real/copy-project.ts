import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';

/** Copies what a clone would have, and what isn't committed yet. */
export function copyProject(git: string, to: string): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync(git, args, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    if (existsSync(join(projectRoot, file))) cpSync(join(projectRoot, file), join(to, file));
  }
}
