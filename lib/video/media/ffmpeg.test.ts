import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childProgram } from '@/test/child-program';
import * as clips from '@/test/media/clips';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { findProcesses, waitUntil } from '@/test/media/inspect';
import { findOnPath } from './executables';
import { failureOf, runFfmpeg } from './ffmpeg';
import { locateFfmpeg } from './locate-ffmpeg';

const tool = await nativeTool();
const onLinux = process.platform === 'linux';

/** Creates a program to run instead of ffmpeg. */
function script(folder: string, text: string) {
  const path = join(folder, 'program.sh');
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { ...tool, ffmpeg: path };
}

async function endless(cwd: string, rest: { maxSeconds: number; signal?: AbortSignal }) {
  return runFfmpeg(tool, {
    kind: 'ffmpeg',
    input: { path: await clips.h264Mp4() },
    inputArgs: ['-stream_loop', '-1', '-re'],
    // The null muxer doesn't open a file: the folder's name only marks the process.
    args: ['-c', 'copy', '-f', 'null', cwd],
    cwd,
    ...rest,
  });
}

function argumentOf(pid: number, index: number): string | undefined {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[index];
}

function isAlive(pid: number): boolean {
  // A killed process stays in the table until its new parent reaps it.
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
}

describe('locateFfmpeg', () => {
  it('takes the given paths before PATH, and nothing else if one does not run', async () => {
    const folder = workFolder();
    const given = script(folder, `exec ${tool.ffmpeg} "$@"`).ffmpeg;
    expect(await locateFfmpeg({ ffmpegPath: given })).toMatchObject({ kind: 'native', ffmpeg: given });
    const missing = join(folder, 'missing');
    expect(await locateFfmpeg({ ffmpegPath: missing })).toBeNull();
    expect(await locateFfmpeg({ ffprobePath: missing })).toBeNull();
  });

  it('refuses an ffmpeg that is too old', async () => {
    const old = script(workFolder(), 'echo "ffmpeg version 4.4.2 Copyright"').ffmpeg;
    expect(await locateFfmpeg({ ffmpegPath: old })).toBeNull();
  });
});

describe('runFfmpeg', () => {
  const run = { kind: 'ffmpeg' as const, input: { path: 'video.mp4' }, args: ['-f', 'null', '-'] };

  it('tells the program nothing of the environment', async () => {
    const cwd = workFolder();
    const { stdout } = await runFfmpeg(script(cwd, 'env'), { ...run, maxSeconds: 10, cwd });
    const names = stdout.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect(names).toContain('HOME');
    expect(
      names.filter((name) => !['LC_ALL', 'HOME', 'TMPDIR', 'PWD', 'OLDPWD', '_', 'SHLVL'].includes(name)),
    ).toEqual([]);
  });

  it.runIf(onLinux && findOnPath('prlimit'))("sets the kernel's limits", async () => {
    const cwd = workFolder();
    const limits = script(cwd, 'prlimit --raw --noheadings --output=RESOURCE,SOFT');
    const { stdout } = await runFfmpeg(limits, { ...run, maxSeconds: 10, maxOutputBytes: 1_000_000, cwd });
    expect(stdout).toMatch(/^AS 3000000000$/m);
    expect(stdout).toMatch(/^FSIZE 2100000$/m);
    expect(stdout).toMatch(/^CORE 0$/m);
    expect(stdout).toMatch(/^CPU \d+$/m);
  });

  it.runIf(onLinux && findOnPath('nice'))(
    'runs after the app’s own work, and long videos after short ones',
    async () => {
      const priorityOf = async (seconds?: number) => {
        const cwd = workFolder();
        const input = { path: 'video.mp4', ...(seconds && { seconds }) };
        const { stdout } = await runFfmpeg(script(cwd, 'nice'), { ...run, input, maxSeconds: 10, cwd });
        return Number(stdout);
      };
      const [unknown, short, long] = [await priorityOf(), await priorityOf(30), await priorityOf(7200)];
      expect(unknown).toBeGreaterThanOrEqual(10);
      expect(short).toBe(unknown);
      expect(long).toBe(19);
    },
  );

  it.runIf(existsSync('/proc/self/autogroup'))(
    'gives work on a long video its priority as a session, and leaves the app’s as it is',
    async () => {
      const before = readFileSync('/proc/self/autogroup', 'utf8');
      const cwd = workFolder();
      const slow = script(cwd, `tail -f '${cwd}/program.sh' &\nwait`);
      const abort = new AbortController();
      const input = { path: 'video.mp4', seconds: 7200 };
      const running = runFfmpeg(slow, { ...run, input, maxSeconds: 60, cwd, signal: abort.signal });
      const [pid] = await waitUntil(async () => {
        const found = await findProcesses(`tail\0-f\0${cwd}`);
        return found.length === 1 && found;
      });
      expect(readFileSync(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/ nice 19$/m);
      abort.abort(new Error('seen'));
      await expect(running).rejects.toThrow('seen');
      expect(readFileSync('/proc/self/autogroup', 'utf8')).toBe(before);
    },
  );

  it('kills the whole group when time is up', async () => {
    const cwd = workFolder();
    // Find the grandchild by the folder's name, since a process id would belong to the sandbox's own namespace.
    const slow = script(cwd, `tail -f '${cwd}/program.sh' &\nwait`);
    const running = runFfmpeg(slow, { ...run, maxSeconds: 5, cwd });
    await waitUntil(async () => (await findProcesses(`tail\0-f\0${cwd}`)).length === 1);
    const result = await running;
    expect(result).toMatchObject({ timedOut: true, code: null });
    expect(failureOf(result)?.kind).toBe('timed_out');
    await waitUntil(async () => (await findProcesses(cwd)).length === 0);
  });

  it.runIf(onLinux)('leaves nothing behind when ffmpeg is late', async () => {
    const cwd = workFolder();
    expect(await endless(cwd, { maxSeconds: 1 })).toMatchObject({ timedOut: true });
    expect(await findProcesses(cwd)).toEqual([]);
  });

  it.runIf(onLinux)("stops on abort, with the signal's reason", async () => {
    const cwd = workFolder();
    const abort = new AbortController();
    const running = endless(cwd, { maxSeconds: 60, signal: abort.signal });
    const [pid = 0] = await waitUntil(async () => {
      const found = await findProcesses(cwd);
      return found.length > 0 && found;
    });
    abort.abort(new Error('deleted'));
    await expect(running).rejects.toThrow('deleted');
    expect(isAlive(pid)).toBe(false);
    await expect(endless(cwd, { maxSeconds: 60, signal: abort.signal })).rejects.toThrow('deleted');
  });

  it.runIf(onLinux && findOnPath('setpriv'))('dies with its parent, even by kill -9', async () => {
    const cwd = workFolder();
    const program = await childProgram('test/media/endless-process.ts');
    const parent = spawn(process.execPath, [program, await clips.h264Mp4(), cwd], {
      stdio: 'ignore',
    });
    // From here on, every program that starts it watches its own parent.
    await waitUntil(async () =>
      (await findProcesses(`\0null\0${cwd}`)).some((pid) => argumentOf(pid, 0) === tool.ffmpeg),
    );
    parent.kill('SIGKILL');
    await waitUntil(async () => (await findProcesses(cwd)).length === 0);
  });

  it('says so when the program is missing', async () => {
    const cwd = workFolder();
    const missing = { ...tool, ffmpeg: join(cwd, 'missing') };
    const failed = runFfmpeg(missing, { ...run, maxSeconds: 10, cwd }).then((result) => {
      throw failureOf(result);
    });
    await expect(failed).rejects.toMatchObject({ kind: 'no_ffmpeg' });
  });

  it('keeps only the last of a flood of complaints', async () => {
    const cwd = workFolder();
    const loud = script(cwd, 'yes complaint | head -n 200000 >&2; echo last >&2; exit 3');
    const result = await runFfmpeg(loud, { ...run, maxSeconds: 30, cwd });
    expect(result.code).toBe(3);
    expect(result.stderr.length).toBeLessThanOrEqual(16_000);
    expect(result.stderr.endsWith('last\n')).toBe(true);
    expect(failureOf(result)).toMatchObject({
      kind: 'failed',
      message: 'Something went wrong while we processed this video.',
    });
  });

  it('takes a path for nothing but a path', async () => {
    const folder = workFolder();
    const path = join(folder, 'a:b -i %d.mp4');
    writeFileSync(path, readFileSync(await clips.h264Mp4()));
    const args = ['-show_entries', 'format=nb_streams', '-of', 'csv=p=0'];
    const result = await runFfmpeg(tool, {
      kind: 'ffprobe',
      input: { path },
      args,
      maxSeconds: 30,
      cwd: folder,
    });
    expect(result).toMatchObject({ code: 0, stdout: '2\n' });
  });
});
