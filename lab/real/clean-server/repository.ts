import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject } from '../copy-project';
import { findProgram } from '../process';

/** A repository with this project, as it's here, for servers to clone. */
export interface Repository {
  /** A bare one. */
  path: string;
  /** Commits a change of a file to its main branch. @returns the commit */
  change(file: string, change: (text: string) => string): string;
}

/** Makes a repository of what a clone would have, and what isn't committed yet. */
export function makeRepository(dir: string): Repository {
  const [work, path] = [join(dir, 'work'), join(dir, 'daylight.git')];
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', [...author, '-C', work, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  mkdirSync(work, { recursive: true });
  copyProject(findProgram('git') ?? 'git', work);
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  commit('First');
  execFileSync('git', ['clone', '--quiet', '--bare', work, path]);
  return {
    path,
    change(file, change) {
      writeFileSync(join(work, file), change(readFileSync(join(work, file), 'utf8')));
      const made = commit(`Change ${file}`);
      git('push', '--quiet', path, 'main');
      return made;
    },
  };
}
