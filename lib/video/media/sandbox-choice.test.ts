import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { childProgram } from '@/test/child-program';
import { h264Mp4 } from '@/test/media/clips';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { isRoot, sandboxCases } from '@/test/media/sandboxes';
import { locateFfmpeg } from './locate-ffmpeg';
import { defaultSandbox, findSandbox } from './sandbox';

const execute = promisify(execFile);
const tool = await nativeTool();
const all = sandboxCases();

describe('the choice of a sandbox', () => {
  it('is the strictest that the kernel allows', async () => {
    const own = all.filter(({ user }) => user === undefined);
    const strictest = own.find(({ allowed }) => allowed)?.sandbox.describe;
    if (strictest) expect(tool.sandbox.describe).toBe(strictest);
    else expect(tool.sandbox.isolation).toBe('none');
  });

  it('passes over those in which the program does not run', async () => {
    const { isolation } = await findSandbox('auto', [[join(workFolder(), 'missing')]]);
    expect(isolation).toBe('none');
    await expect(findSandbox('required', [[join(workFolder(), 'missing')]])).rejects.toMatchObject({
      kind: 'no_ffmpeg',
      detail: expect.stringContaining('FFMPEG_SANDBOX=required'),
    });
  });

  it('has to isolate fully in production, where the system may', () => {
    const host = { isProduction: true, isServerless: false, platform: 'linux' } as const;
    expect(defaultSandbox(host)).toBe('required');
    for (const other of [{ isProduction: false }, { isServerless: true }, { platform: 'darwin' as const }])
      expect(defaultSandbox({ ...host, ...other }), JSON.stringify(other)).toBe('auto');
  });

  it('can be switched off', async () => {
    const unconfined = await locateFfmpeg({ sandbox: 'off' });
    expect(unconfined?.sandbox.isolation).toBe('none');
    const command = ['true', 'as', 'given'];
    expect(await unconfined?.sandbox.enter(command, { folder: '/', readable: [] })).toBe(command);
  });

  it.runIf(isRoot && all.length > 0)('takes a folder away from nobody else', async () => {
    const own = all.filter(({ user }) => user === undefined);
    expect(own).not.toEqual([]);
    for (const { sandbox } of own) {
      const { uid, mode } = statSync(tmpdir());
      await expect(sandbox.enter(['true'], { folder: tmpdir(), readable: [] })).rejects.toThrow('private');
      expect(statSync(tmpdir())).toMatchObject({ uid, mode });
    }
  });

  /** Returns what a process with fewer privileges than the tests' own finds, and whether ffmpeg still works for it. */
  async function foundBy(prefix: string[], env: Record<string, string> = {}) {
    const program = await childProgram('test/media/sandbox-process.ts');
    const [command = '', ...args] = [...prefix, process.execPath, program, await h264Mp4()];
    const { stdout } = await execute(command, args, { env: { ...process.env, ...env } });
    return JSON.parse(stdout);
  }

  it.runIf(isRoot && process.platform === 'linux')(
    'steps down to another user where the kernel refuses namespaces, as it does in most containers',
    async () => {
      const prefix = ['setpriv', '--inh-caps=-sys_admin', '--bounding-set=-sys_admin'];
      const found = await foundBy(prefix);
      expect(found).toMatchObject({ isolation: 'user', seconds: expect.closeTo(4, 1) });
      expect((await foundBy(prefix, { FFMPEG_SANDBOX: 'required' })).refused).toContain(
        'FFMPEG_SANDBOX=required',
      );
    },
  );

  it('steps down to what there was before where there are no tools for it', async () => {
    const found = await foundBy([], {
      PATH: '/nonexistent',
      FFMPEG_PATH: tool.ffmpeg,
    });
    expect(found).toMatchObject({ isolation: 'none', seconds: expect.closeTo(4, 1) });
  });
});
