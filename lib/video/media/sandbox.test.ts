import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { h264Mp4 } from '@/test/media/clips';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { findProcesses, waitUntil } from '@/test/media/inspect';
import { startTrapServer } from '@/test/media/malformed-clips';
import { isRoot, type SandboxCase, sandboxCases } from '@/test/media/sandboxes';
import { underKernelLimits } from './limits';
import { probe } from './probe';
import { SANDBOX_ID } from './sandbox-commands';

const execute = promisify(execFile);
const tool = await nativeTool();

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Copies Node to where everybody can run it: root's own may be in root's home, where nvm puts it. */
function copyNode(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-node-'));
  folders.push(folder);
  chmodSync(folder, 0o755);
  const node = join(folder, 'node');
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  return node;
}

const node = copyNode();

/** Creates a private folder that whoever starts the sandbox may write to. */
function jobFolder(user: number | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-sandboxed-'));
  folders.push(folder);
  if (user !== undefined) chownSync(folder, user, user);
  return folder;
}

/** Starts a command the way runFfmpeg does. */
async function start(
  { sandbox, user }: SandboxCase,
  command: string[],
  folder: string,
  readable: string[] = [],
): Promise<ChildProcess> {
  const inside = await sandbox.enter(command, { folder, readable });
  const [program = '', ...args] = underKernelLimits(inside, {
    kind: 'wasm',
    maxSeconds: 100,
    maxOutputBytes: 1_000_000,
  });
  const as = user === undefined ? {} : { uid: user, gid: user };
  return spawn(program, args, {
    cwd: folder,
    env: {} as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...as,
  });
}

async function outputOf(
  child: ChildProcess,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (data) => (stdout += data));
  child.stderr?.on('data', (data) => (stderr += data));
  child.stdin?.end();
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** Tries what a compromised program would, and prints the results. */
const TAKEN_OVER = `
const { readFileSync, readdirSync, writeFileSync, chownSync } = require('node:fs');
const attempt = (work) => { try { return work() ?? 'done'; } catch (error) { return error.code ?? String(error); } };
const [port, input, outside] = process.argv.slice(1);
const report = {
  uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(),
  passwd: attempt(() => readFileSync('/etc/passwd') && 'read'),
  outside: attempt(() => readFileSync(outside) && 'read'),
  input: attempt(() => readFileSync(input, 'utf8')),
  change: attempt(() => writeFileSync(input, 'changed')),
  root: attempt(() => readdirSync('/').sort()),
  setuid: attempt(() => process.setuid(0)),
  chown: attempt(() => { writeFileSync('mine', ''); chownSync('mine', 1, 1); }),
  elsewhere: attempt(() => writeFileSync('/elsewhere', '')),
  write: attempt(() => writeFileSync('output', 'made inside')),
};
const socket = require('node:net').connect(Number(port), '127.0.0.1');
const end = (network) => { console.log(JSON.stringify({ ...report, network })); process.exit(); };
socket.on('connect', () => end('connected')).on('error', (error) => end(error.code));
`;

const SLEEPER = [node, '-e', 'process.stdin.resume()'];

/** Returns what the machine's /proc says about the sleeper itself, not about its wrappers; null until it runs. */
async function statusOfSleeper(folder: string): Promise<string | null> {
  for (const id of await findProcesses([...SLEEPER, folder].join('\0'))) {
    const [line, status] = await Promise.all(
      ['cmdline', 'status'].map((name) => readFile(`/proc/${id}/${name}`, 'latin1').catch(() => '')),
    );
    if (line?.startsWith(SLEEPER.join('\0')) && status) return status;
  }
  return null;
}

const all = sandboxCases();

describe.each(all)('ffmpeg $name', (each) => {
  const { sandbox, user, allowed } = each;
  const isFull = sandbox.isolation === 'full';

  it.runIf(allowed)('reaches nothing but its own folder', async () => {
    const trap = await startTrapServer();
    const folder = jobFolder(user);
    const outside = join(jobFolder(undefined), 'secret');
    const input = join(folder, 'input');
    for (const path of [outside, input]) writeFileSync(path, 'a video', { mode: 0o600 });
    if (user !== undefined) chownSync(input, user, user);
    const command = [node, '-e', TAKEN_OVER, String(trap.port), input, outside];
    const { stdout, stderr } = await outputOf(await start(each, command, folder, [input]));
    trap.close();
    expect(stderr).toBe('');
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ uid: SANDBOX_ID, gid: SANDBOX_ID, input: 'a video', write: 'done' });
    expect(report.setuid).toMatch(/EPERM|EINVAL/);
    expect(report.chown).toMatch(/EPERM|EINVAL/);
    expect(report.elsewhere).toMatch(/EROFS|EACCES/);
    expect(report.outside).toMatch(/ENOENT|EACCES/);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('made inside');
    if (sandbox.isolation === 'user') return;
    expect(report.network).toMatch(/ECONNREFUSED|ENETUNREACH/);
    expect(trap.hits()).toBe(0);
    if (!isFull) return;
    expect(report.passwd).toBe('ENOENT');
    expect(report.change).toMatch(/EROFS|EACCES/);
    expect(readFileSync(input, 'utf8')).toBe('a video');
    const visible = ['bin', 'dev', 'etc', 'lib', 'lib32', 'lib64', 'nix', 'tmp', 'usr'];
    expect(
      report.root.filter((name: string) => !visible.includes(name) && !folder.startsWith(`/${name}/`)),
    ).toEqual([]);
  });

  it.runIf(allowed)('has no capabilities and cannot gain any, as the machine sees it', async () => {
    const folder = jobFolder(user);
    const child = await start(each, [...SLEEPER, folder], folder);
    const status = await waitUntil(() => statusOfSleeper(folder));
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    const field = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1];
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(field(set)).toMatch(/^0+$/);
    expect(field('NoNewPrivs')).toBe('1');
    const expected = user ?? (isRoot ? SANDBOX_ID : process.getuid?.());
    expect(field('Uid')?.split('\t')).toEqual(Array(4).fill(String(expected)));
  });

  it.runIf(allowed)('dies when what started it is killed', async () => {
    const folder = jobFolder(user);
    const child = await start(each, [...SLEEPER, folder], folder);
    await waitUntil(() => statusOfSleeper(folder));
    // Not the whole group, because its other members have to notice.
    child.kill('SIGKILL');
    await waitUntil(async () => (await findProcesses(folder)).length === 0);
  });

  it.runIf(allowed)('gives the exit code and what was printed', async () => {
    const folder = jobFolder(user);
    const child = await start(each, ['/bin/sh', '-c', 'echo out; echo err >&2; exit 42'], folder);
    expect(await outputOf(child)).toEqual({ code: 42, stdout: 'out\n', stderr: 'err\n' });
  });

  it.runIf(allowed && isFull)('opens no file or address that its arguments name', async () => {
    const trap = await startTrapServer();
    const folder = jobFolder(user);
    const made = join(folder, 'out.mp4');
    const args = ['-nostdin', '-v', 'error', '-y'];
    const reading = [tool.ffmpeg, ...args, '-f', 'rawvideo', '-s', '2x2', '-i', '/etc/passwd', made];
    expect((await outputOf(await start(each, reading, folder))).stderr).toContain(
      'No such file or directory',
    );
    const connecting = [tool.ffmpeg, ...args, '-i', `tcp://127.0.0.1:${trap.port}`, made];
    expect((await outputOf(await start(each, connecting, folder))).stderr).toMatch(/refused|unreachable/i);
    expect(trap.hits()).toBe(0);
    trap.close();
    // It works on the files it's allowed to see.
    const input = join(folder, 'input.mp4');
    writeFileSync(input, readFileSync(await h264Mp4()));
    const copying = [tool.ffmpeg, ...args, '-i', input, '-c', 'copy', made];
    expect(await outputOf(await start(each, copying, folder, [input]))).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(statSync(made).size).toBeGreaterThan(10_000);
  });
});

it('would have read the file and opened the connection without a sandbox', async () => {
  const trap = await startTrapServer();
  const command = ['-e', TAKEN_OVER, String(trap.port), '/dev/null', '/etc/passwd'];
  const { stdout } = await execute(process.execPath, command, { cwd: workFolder() });
  expect(JSON.parse(stdout)).toMatchObject({ passwd: 'read', network: 'connected' });
  expect(trap.hits()).toBe(1);
  trap.close();
});

it.runIf(process.platform === 'linux')('works on a file that only the app can read', async () => {
  const folder = workFolder();
  const input = join(folder, 'private.mp4');
  writeFileSync(input, readFileSync(await h264Mp4()), { mode: 0o600 });
  expect((await probe(tool, input)).durationSeconds).toBeCloseTo(4, 0);
  expect(statSync(input).mode & 0o007).toBe(0);
  expect(existsSync(input)).toBe(true);
});
