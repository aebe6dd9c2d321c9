/**
 * The first step of every npm script, which needs only Node. Installs the packages if they're missing or the lockfile
 * has changed, then runs the script and passes on signals and the exit code.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 9];
/** What each npm script runs, with its first arguments. Those of `lab` and `assets` are chosen by an argument. */
const SCRIPTS = {
  up: ['local/up/up.ts'],
  dev: ['local/up/up.ts', 'dev'],
  test: ['test/run.ts'],
  lab: {
    bench: ['lab/bench/run.ts'],
    scale: ['lab/scale/run.ts'],
    load: ['lab/load/run.ts'],
    real: ['lab/real/run.ts'],
    browsers: ['lab/browsers/run.ts'],
    node: ['lab/node/run.ts'],
    mutation: ['lab/mutation/run.ts'],
    'audit-deps': ['scripts/audit-deps.ts'],
    'trace-picture': ['e2e/trace-picture.ts'],
  },
  assets: {
    icons: ['scripts/build-icons.ts'],
    sample: ['lab/sample/build.ts'],
    pictures: [
      ...['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts'],
      ...['journeys/pictures', '--project', 'others', '--retries', '0', '--update-snapshots'],
    ],
    screens: ['e2e/screens/contact-sheet.ts'],
  },
};
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Returns whether a Node version (`v20.9.0`) can run Daylight, or something else that needs at least `oldest`. */
export function isNodeNewEnough(version, oldest = OLDEST_NODE) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** Returns a hash of the lockfile and the platform, because another platform's packages don't run here. */
const lockHash = (root) =>
  createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

const stampPath = (root) => join(root, 'node_modules', '.daylight-lock');

/** Returns whether npm's record of installed packages, which it writes last, has everything in the lockfile. */
function holdsAll(root) {
  const packagesIn = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages;
  try {
    const installed = packagesIn('node_modules', '.package-lock.json');
    const allows = (list, own) => !list || list.includes(own);
    const isHere = ([path, { version, optional, os, cpu }]) =>
      path === '' ||
      installed[path]?.version === version ||
      (!installed[path] && (optional || !allows(os, process.platform) || !allows(cpu, process.arch)));
    return Object.entries(packagesIn('package-lock.json')).every(isHere);
  } catch {
    return false;
  }
}

/** Returns whether packages are missing or differ from the lockfile, whoever installed them. */
export function needsInstall(root) {
  const stamp = stampPath(root);
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8').trim() !== lockHash(root);
  return !holdsAll(root);
}

/** Records that the packages match the lockfile. */
export const markInstalled = (root) => writeFileSync(stampPath(root), `${lockHash(root)}\n`);

/** Returns what to do about a failed `npm ci`, from its output. */
export function installAdvice(output) {
  if (/EUSAGE/.test(output)) {
    return "package.json and package-lock.json don't match. Restore both (git checkout package.json package-lock.json), then start again.";
  }
  if (/ENOSPC|no space left/i.test(output))
    return 'The disk is full. Packages take about 1.2 GB while they install: free some space and start again.';
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return "Can't write to the folder node_modules. Check that you own this folder, then start again.";
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/i.test(
      output,
    )
  ) {
    return "Can't reach the package registry. Check your connection (or the proxy in npm's settings), then start again.";
  }
  if (/E40[13]|E429|E404|E5\d\d|ETARGET|EINTEGRITY/.test(output)) {
    return "The package registry refused a package (see above). Wait a moment and start again, or set another registry in npm's settings.";
  }
  return 'npm ci failed (see above). Start again. If it fails again, delete node_modules first.';
}

/** Returns the name and the parent of a process on Linux. Returns null elsewhere, or if it's gone. */
function procStat(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { name, parent };
  } catch {
    return null;
  }
}

/**
 * Returns the processes between npm and this one, as text that changes if one of them is killed. Debian's `sh` stays
 * between npm and its script, and outlives npm.
 */
function chainToNpm() {
  const shell = procStat(process.ppid);
  return `${process.ppid} ${shell && /^(da|ba|z)?sh$/.test(shell.name) ? shell.parent : ''}`;
}

/** Runs a command and passes on signals. Resolves to its exit code and, with `capture`, its error output. */
function run(command, args, { root, env, capture = false }) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', capture ? 'pipe' : 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  const passOn = SIGNALS.map((name) => [name, () => child.kill(name)]);
  for (const [name, handler] of passOn) process.on(name, handler);
  // If npm is killed with -9, this process keeps running, so it has to stop the command.
  const chain = chainToNpm();
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && chainToNpm() !== chain) child.kill('SIGHUP');
  }, 500);
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
    process.stderr.write(chunk);
  });
  return new Promise((resolve) => {
    const end = (code, signal) => {
      clearInterval(watch);
      for (const [name, handler] of passOn) process.off(name, handler);
      resolve({ code: code ?? 1, signal, output });
    };
    child.once('error', (error) => {
      output += error.message;
      end(1, null);
    });
    child.once('close', end);
  });
}

/** Lets one copy at a time install the packages of a checkout. The others wait. */
async function installing(root, work) {
  const lock = join(
    tmpdir(),
    `daylight-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  );
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      // The holder touches it every second.
      if (Date.now() - touched > 10_000) rmSync(lock, { recursive: true, force: true });
      else await delay(500);
    }
  }
  const touch = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Installs the packages in the lockfile, including development packages. Returns npm's exit code. */
async function install(root) {
  return installing(root, async () => {
    if (!needsInstall(root)) return 0;
    console.log('Installing packages (once, a download of about 0.5 GB, a few minutes) …');
    const began = Date.now();
    const still = setInterval(
      () => console.log(`  … still installing, ${Math.round((Date.now() - began) / 1000)} s`),
      20_000,
    );
    const { code, signal, output } = await run(
      'npm',
      ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
      { root, env: process.env, capture: true },
    );
    clearInterval(still);
    if (code === 0) {
      markInstalled(root);
      console.log(`  ✓ Packages (${Math.round((Date.now() - began) / 1000)} s)`);
    } else if (!signal) {
      console.error(`\n${installAdvice(output)}`);
    }
    return code;
  });
}

/** Returns what to run, with its arguments. Returns null, and prints the choices, if the arguments name nothing. */
function chooseScript([name, ...args], scripts = SCRIPTS, command = 'npm run') {
  const script = Object.hasOwn(scripts, name ?? '') ? scripts[name] : undefined;
  if (Array.isArray(script)) return [...script, ...args];
  if (script) return chooseScript(args, script, `npm run ${name} --`);
  if (name) console.error(`There's no \`${command} ${name}\`.`);
  console.error(
    `Choose one of: ${Object.keys(scripts)
      .map((choice) => `${command} ${choice}`)
      .join(', ')}.`,
  );
  return null;
}

async function main() {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  if (!isNodeNewEnough(process.version)) {
    console.error(
      `Daylight needs Node ${OLDEST_NODE.join('.')} or newer, and this is ${process.version}. Install a newer version from https://nodejs.org and start again.`,
    );
    return 1;
  }
  const script = chooseScript(process.argv.slice(2));
  if (!script) return 1;
  Object.assign(process.env, {
    NEXT_TELEMETRY_DISABLED: '1',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  });
  if (needsInstall(root)) {
    const code = await install(root);
    if (code !== 0) return code;
  }
  const env = { ...process.env, DAYLIGHT_BOOTSTRAP_PID: String(process.pid) };
  const loader = script[0].endsWith('.ts') ? ['--import', 'tsx'] : [];
  const { code } = await run(process.execPath, [...loader, ...script], { root, env });
  return code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
