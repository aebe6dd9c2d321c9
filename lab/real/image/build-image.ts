import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { createNodeRoot, createSystemRoot } from './base-images';
import type { Stage } from './dockerfile';
import { runAsBuild } from './in-root';

/** The images that the stages start from, made without a registry. */
const BASES: Record<string, (folder: string, cache: string) => void> = {
  scratch: (folder) => mkdirSync(folder),
  'debian:bookworm-slim': createSystemRoot,
  'node:24-bookworm-slim': createNodeRoot,
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function copyTree(from: string, to: string): void {
  execFileSync('cp', ['-a', '--reflink=auto', from, to]);
}

/**
 * Follows a Dockerfile's stages, each in a root folder of its own, and returns the folder of the last one. Like Docker,
 * it reuses what didn't change: a stage that copies nothing from the project or another stage is kept in `cache`.
 * @throws Error with the output of an instruction that fails
 */
export function buildImage(stages: Stage[], dir: string, cache: string): string {
  const roots: Record<string, string> = {};
  for (const stage of stages) {
    const root = join(dir, stage.name || 'image');
    const kept = join(cache, `stage-${hashOf(JSON.stringify(stage))}`);
    const isKept = !stage.instructions.some(({ name }) => name === 'COPY');
    if (isKept && existsSync(kept)) copyTree(kept, root);
    else {
      const base = BASES[stage.from];
      if (!base) throw new Error(`Nothing here makes ${stage.from}.`);
      base(root, cache);
      follow(stage, root, roots);
      if (isKept) {
        copyTree(root, `${kept}.new`);
        renameSync(`${kept}.new`, kept);
      }
    }
    roots[stage.name] = root;
  }
  return join(dir, 'image');
}

function follow(stage: Stage, root: string, roots: Record<string, string>): void {
  let workdir = '/';
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') {
      workdir = text;
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (name === 'COPY') copy(text, root, workdir, roots);
    else if (name === 'RUN') {
      console.log(`  RUN ${text.slice(0, 100)}`);
      const { status, stdout, stderr } = runAsBuild(root, ['/bin/sh', '-c', text], workdir);
      if (status !== 0)
        throw new Error(`RUN ${text} ended with ${status}:\n${(stdout + stderr).slice(-4000)}`);
    }
  }
}

function copy(text: string, root: string, workdir: string, roots: Record<string, string>): void {
  const words = text.split(' ');
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = paths.pop() ?? '';
  const target = join(root, to.startsWith('/') ? to : join(workdir, to));
  const source = from === undefined ? projectRoot : (roots[from] ?? '');
  for (const path of paths) {
    if (from === undefined && path === '.') copyProject(target);
    else if (statSync(join(source, path)).isDirectory()) {
      mkdirSync(target, { recursive: true });
      copyTree(`${join(source, path)}/.`, target);
    } else {
      const place = to.endsWith('/') ? join(target, basename(path)) : target;
      cpSync(join(source, path), place, { dereference: true });
    }
  }
}

/** Copies what git holds or would hold. deploy/Dockerfile.dockerignore leaves out more, which no build reads. */
function copyProject(target: string): void {
  const git = { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1e8 } as const;
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], git);
  const files = listed.split('\n').filter((path) => path !== '' && existsSync(join(projectRoot, path)));
  execFileSync('sh', ['-c', 'tar -c -T - | tar -x -C "$1"', 'sh', target], {
    ...git,
    input: files.join('\n'),
  });
}
