import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installAdvice, isNodeNewEnough, needsInstall } from './bootstrap.mjs';
import { projectRoot } from './data-dir';
import { type NodeProcess, spawnObserved } from './fixtures/node-process';
import { identifyProcess, isSameProcess, waitUntil } from './processes';

const tsx = join(projectRoot, 'node_modules', 'tsx');

/** Returns a project with one package, tsx, whose script prints its arguments and exits with the given code. */
function smallProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'daylight-bootstrap-'));
  for (const folder of ['local/up', 'test']) mkdirSync(join(root, folder), { recursive: true });
  cpSync(join(projectRoot, 'local/up/bootstrap.mjs'), join(root, 'local/up/bootstrap.mjs'));
  const manifest = {
    name: 'small',
    version: '1.0.0',
    type: 'module',
    scripts: { up: 'node local/up/bootstrap.mjs up' },
    devDependencies: { tsx: `file:${tsx}` },
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], {
    cwd: root,
    stdio: 'pipe',
  });
  writeFileSync(
    join(root, 'test', 'run.ts'),
    `console.log('ran', process.argv.slice(2).join(' '), process.env.NEXT_TELEMETRY_DISABLED as string);
     process.exitCode = Number(process.argv[2]);`,
  );
  writeFileSync(
    join(root, 'local/up/up.ts'),
    `const mode: string = process.argv[2] ?? 'up';
     process.on('SIGTERM', () => { console.log('asked to stop'); process.exit(0); });
     process.on('SIGHUP', () => process.exit(0));
     setInterval(() => undefined, 60_000);
     console.log(mode, process.pid);`,
  );
  return root;
}

/** Sets NODE_ENV=production as hosts do, which must not leave out packages that the scripts need. */
function startBootstrap(root: string, args: string[], by: 'node' | 'npm' = 'node'): NodeProcess {
  const { npm_lifecycle_event: _, ...env } = process.env;
  const command =
    by === 'npm' ? ['npm', 'run', ...args] : [process.execPath, 'local/up/bootstrap.mjs', ...args];
  return spawnObserved(command[0] ?? '', command.slice(1), root, { ...env, NODE_ENV: 'production' });
}

test('installs once, including development packages, and passes on arguments and the exit code', async () => {
  const root = smallProject();
  expect(needsInstall(root)).toBe(true);
  const first = startBootstrap(root, ['test', '7', 'e2e']);
  expect(await first.ended).toBe(7);
  expect(first.output()).toContain('Installing packages');
  expect(first.output()).toContain('ran 7 e2e 1');
  expect(needsInstall(root)).toBe(false);

  const second = startBootstrap(root, ['test', '0']);
  expect(await second.ended).toBe(0);
  expect(second.output()).not.toContain('Installing');

  // Packages that were installed without this script count too, if they match the lockfile.
  rmSync(join(root, 'node_modules', '.daylight-lock'));
  expect(needsInstall(root)).toBe(false);
  rmSync(join(root, 'node_modules', '.package-lock.json'));
  expect(needsInstall(root)).toBe(true);
  rmSync(root, { recursive: true });
});

test('installs a changed lockfile, and says what to do if that fails', async () => {
  const root = smallProject();
  expect(await startBootstrap(root, ['test', '0']).ended).toBe(0);
  appendFileSync(join(root, 'package-lock.json'), '\n');
  expect(needsInstall(root)).toBe(true);
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ name: 'small', dependencies: { other: `file:${tsx}` } }),
  );
  const broken = startBootstrap(root, ['test', '0']);
  expect(await broken.ended).toBe(1);
  expect(broken.output()).toContain("package.json and package-lock.json don't match");
  expect(broken.output()).not.toContain('ran 0');
  expect(needsInstall(root)).toBe(true);
  rmSync(root, { recursive: true });
});

test('stops the script on a signal and when npm is killed', async () => {
  const root = smallProject();
  const stopped = startBootstrap(root, ['dev']);
  await stopped.shows(/dev \d+/);
  stopped.child.kill('SIGTERM');
  expect(await stopped.ended).toBe(0);
  expect(stopped.output()).toContain('asked to stop');

  const orphaned = startBootstrap(root, ['up'], 'npm');
  await orphaned.shows(/up \d+/);
  const script = identifyProcess(Number(/up (\d+)/.exec(orphaned.output())?.[1]));
  expect(isSameProcess(script)).toBe(true);
  orphaned.child.kill('SIGKILL');
  expect(await waitUntil(() => !isSameProcess(script), 60_000)).toBe(true);
  rmSync(root, { recursive: true });
});

test.each([
  [
    ['deploy'],
    "There's no `npm run deploy`.",
    /npm run up, npm run dev, npm run test, npm run lab, npm run assets/,
  ],
  [['lab', 'speed'], "There's no `npm run lab -- speed`.", /npm run lab -- bench, .*npm run lab -- real/],
  [['assets'], '', /npm run assets -- icons, /],
])('prints the choices for %s', async (args, problem, choices) => {
  const unknown = startBootstrap(projectRoot, args);
  expect(await unknown.ended).toBe(1);
  expect(unknown.output()).toContain(problem);
  expect(unknown.output()).toMatch(choices);
});

test('requires Node 20.9', () => {
  for (const version of ['v20.9.0', 'v20.20.2', 'v22.0.0', 'v24.1.0'])
    expect(isNodeNewEnough(version)).toBe(true);
  for (const version of ['v18.20.0', 'v20.8.1', 'v6.0.0']) expect(isNodeNewEnough(version)).toBe(false);
  expect(isNodeNewEnough('v20.18.3', [20, 19])).toBe(false);
  expect(isNodeNewEnough('v20.19.0', [20, 19])).toBe(true);
});

test.each([
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EACCES', /Can't write/],
  ['npm error code EAI_AGAIN', /Can't reach/],
  ['npm error code E403', /refused a package/],
  ['npm error something else', /delete node_modules/],
])('explains "%s"', (output, advice) => {
  expect(installAdvice(output)).toMatch(advice);
});
