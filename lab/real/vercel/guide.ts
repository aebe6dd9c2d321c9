import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readBlocks } from '../guide-blocks';

/** Returns the commands under a heading of the guide, block by block. */
export function commandsUnder(heading: string): string[] {
  const blocks = readBlocks('docs/deploy/vercel.md').filter((block) => block.heading === heading);
  if (blocks.length === 0) throw new Error(`The guide has no commands under “${heading}”.`);
  return blocks.map(({ text }) => text);
}

/** What stands in for programs that need an account or were run before, as shell functions would. */
const WRAPPERS: Record<string, string> = {
  // The real tool, which asks the API given.
  npx: `[ "$1" = vercel ] || { echo "not run: $*"; exit 0; }
shift
case "$1" in
  deploy) echo "deployed" ;;
  inspect) cat "$GUIDE_BUILD_LOG" ;;
  link) exec "$GUIDE_VERCEL" link --yes --project daylight --api "$GUIDE_API" --token test ;;
  *) exec "$GUIDE_VERCEL" "$@" --api "$GUIDE_API" --token test ;;
esac`,
  // The packages are there.
  npm: `[ "$1" = ci ] || exec "$GUIDE_NPM" "$@"`,
  git: `echo "not run: git $*"`,
};

export interface GuideOptions {
  /** Where the wrappers go. */
  dir: string;
  /** The project's folder. */
  project: string;
  vercel: string;
  api: string;
  buildLog: string;
}

/**
 * Returns what runs blocks of the guide in the project's folder, as a person would in a shell that stops at errors.
 * @returns what they print
 */
export function guideRunner({ dir, project, vercel, api, buildLog }: GuideOptions) {
  mkdirSync(dir, { recursive: true });
  for (const [name, script] of Object.entries(WRAPPERS)) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(dir, name), 0o755);
  }
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const env = {
    PATH: `${dir}:${process.env.PATH}`,
    HOME: dir,
    GUIDE_VERCEL: vercel,
    GUIDE_API: api,
    GUIDE_NPM: npm,
    GUIDE_BUILD_LOG: buildLog,
    VERCEL_TELEMETRY_DISABLED: '1',
    NO_UPDATE_NOTIFIER: '1',
    CI: '1',
  };
  return async (block: string): Promise<string> => {
    // The test's copy of the project is what the guide's first line makes.
    const script = block.replace(/^git clone .*$/m, ':');
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], {
      cwd: project,
      env: env as never,
    });
    return stdout;
  };
}
