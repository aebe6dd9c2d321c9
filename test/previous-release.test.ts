import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import previous from './previous-release.json';

/** Tests of the previous release, run by that release's code. The rest only with TEST_PREVIOUS_RELEASE=all. */
const ALWAYS = [
  'lib/accounts/accounts.test.ts',
  'lib/entries/service.test.ts',
  'lib/notes/notes.test.ts',
  'lib/uploads/service.test.ts',
];
const OTHERS = [
  'lib/billing/billing.test.ts',
  'lib/memories/service.test.ts',
  'lib/outbox/service.test.ts',
  'lib/processing/step.test.ts',
  'lib/search/service.test.ts',
  'lib/security/security.test.ts',
  'lib/tags/tags.test.ts',
  'lib/transcripts/revisions.test.ts',
];
const FILES = process.env.TEST_PREVIOUS_RELEASE === 'all' ? [...ALWAYS, ...OTHERS] : ALWAYS;

/** The folder of the packages that emails are made with. */
const EMAILS = '@react-email';

const folder = mkdtempSync(join(tmpdir(), 'daylight-previous-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: projectRoot, stdio: 'pipe', maxBuffer: 1024 ** 3 });

/** Returns why the code of the previous release isn't at hand, or null. */
function findObstacle(): string | null {
  if (git('rev-parse', '--git-dir').status !== 0) return 'this isn’t a git clone';
  return git('cat-file', '-e', `${previous.commit}^{commit}`).status === 0
    ? null
    : 'this clone is shallow (`git fetch --unshallow`)';
}

/** Writes the code of the previous release with the migrations of this one. */
function checkOut(): void {
  const { stdout: archive } = git('archive', '--format=tar', previous.commit);
  const { status, stderr } = spawnSync('tar', ['-x', '-C', folder], { input: archive });
  expect(status, String(stderr)).toBe(0);
  // Their packages, but caches of their own.
  const packages = join(projectRoot, 'node_modules');
  mkdirSync(join(folder, 'node_modules', EMAILS, 'components'), { recursive: true });
  const names = readdirSync(packages).filter((name) => !name.startsWith('.') && name !== EMAILS);
  const parts = readdirSync(join(packages, EMAILS)).map((name) => join(EMAILS, name));
  for (const name of [...names, ...parts])
    symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  // This release has only the parts of that package.
  const components = join(folder, 'node_modules', EMAILS, 'components');
  writeFileSync(join(components, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(components, 'index.js'), parts.map((name) => `export * from '${name}';\n`).join(''));
  rmSync(join(folder, 'db', 'migrations'), { recursive: true });
  cpSync(join(projectRoot, 'db', 'migrations'), join(folder, 'db', 'migrations'), { recursive: true });
}

it('works with the schema of this release', { timeout: 600_000 }, async ({ skip }) => {
  const obstacle = findObstacle();
  if (obstacle) skip(`the previous release isn’t here: ${obstacle}`);
  checkOut();
  // What this run has set isn't for the other one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$)/.test(name)),
  );
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const config = existsSync(join(folder, 'test/vitest.config.ts'))
    ? ['--config', 'test/vitest.config.ts']
    : [];
  const child = spawn(process.execPath, [vitest, 'run', ...config, '--reporter=dot', ...FILES], {
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
  expect(stripVTControlCharacters(output)).toContain(`Test Files  ${FILES.length} passed`);
});
