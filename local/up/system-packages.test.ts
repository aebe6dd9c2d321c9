import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { installPrograms, missingNotice, PROGRAMS, type SystemProgram } from './system-packages';

afterEach(() => vi.unstubAllEnvs());

/** Returns a folder with an `apt-get` that logs its arguments and fails, so that no test installs anything. */
function aptFolder(): { folder: string; calls: string } {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-apt-'));
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> '${calls}'\nexit 100\n`);
  chmodSync(join(folder, 'apt-get'), 0o755);
  return { folder, calls };
}

const absent = (name: string): SystemProgram => ({
  debian: [name],
  present: () => false,
  without: `${name} (without it, less works)`,
  elsewhere: `brew install ${name}`,
});

test('lists what is missing, what it affects and how to install it', () => {
  const notice = missingNotice([absent('one'), absent('two')]);
  for (const part of ['one (without it', 'brew install two', '(optional)']) expect(notice).toContain(part);
  expect(missingNotice([])).toBe('');
});

test('finds programs that are installed or configured', () => {
  const [ffmpeg, bubblewrap] = PROGRAMS.up;
  const own = { FFMPEG_PATH: '/opt/ffmpeg', FFPROBE_PATH: '/opt/ffprobe', FFMPEG_SANDBOX: 'off' };
  expect([ffmpeg, bubblewrap].map((program) => program?.present(own))).toEqual([true, true]);
  expect(ffmpeg?.present({})).toBe(false);
  expect(bubblewrap?.present({})).toBe(process.platform !== 'linux');
});

test("doesn't run apt-get when DAYLIGHT_NO_APT is set", async () => {
  const { folder, calls } = aptFolder();
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  vi.stubEnv('DAYLIGHT_NO_APT', '1');
  const program = absent('daylight-absent');
  expect(await installPrograms({ programs: [program], log: () => undefined })).toEqual([program]);
  expect(readFileSync(calls, 'utf8')).toBe('');
});

test.runIf(process.getuid?.() === 0)(
  "a failed installation isn't an error and isn't repeated right away",
  async () => {
    const { folder, calls } = aptFolder();
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    vi.stubEnv('DAYLIGHT_NO_APT', '');
    const programs = [absent(`daylight-absent-${process.pid}`), absent('daylight-absent')];
    for (const _ of [1, 2])
      expect(await installPrograms({ programs, log: () => undefined })).toEqual(programs);
    const lines = readFileSync(calls, 'utf8').trim().split('\n');
    // The update, all packages together, then each one, and nothing the second time.
    expect(lines).toHaveLength(4);
    expect(lines.every((line) => line.startsWith('noninteractive -q -y'))).toBe(true);
    expect(lines.slice(1).every((line) => line.includes('install --no-install-recommends'))).toBe(true);
  },
);
