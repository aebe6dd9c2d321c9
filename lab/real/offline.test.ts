import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { spokenClip } from '@/test/media/speech';
import { wordErrors } from '@/test/word-errors';
import type { OfflineVisit } from './offline-process';
import { giveToUser, plainUser, withoutNetwork } from './plain-user';
import { NODE_MAJORS } from './servers/offline';

const { OFFLINE_DIR: dir = '', OFFLINE_BWRAP: bwrap = '' } = process.env;
const MAX_WRONG_WORDS = 3;

/** Builds, starts, and uses Daylight where there's no network. */
async function visitOffline(major: string, clip: string): Promise<OfflineVisit> {
  const node = join(dir, `node-${major}`, 'node_modules', 'node', 'bin', 'node');
  const folder = join(dir, `user-${major}`);
  const user = plainUser(folder, node);
  copyFileSync(clip, join(folder, 'spoken.mp4'));
  giveToUser(user, folder);
  const settings = { DAYLIGHT_NO_APT: '1', DATA_DIR: join(folder, 'home', 'data') };
  const visit = ['node', '--import', 'tsx', 'lab/real/offline-process.ts', join(folder, 'spoken.mp4')];
  const [command, args] = withoutNetwork(bwrap, visit);
  const child = spawn(command, args, {
    cwd: join(dir, 'daylight'),
    ...user,
    env: { ...user.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (!output) throw new Error(errors);
  return JSON.parse(output);
}

describe.skipIf(!dir)('README’s first command, as a user without rights, programs, and a network', () => {
  it.each(NODE_MAJORS)(
    'transcribes an upload, on Node %s',
    async (major) => {
      const clip = await spokenClip();
      const visit = await visitOffline(major, clip.path);
      expect(visit).toMatchObject({
        node: expect.stringMatching(new RegExp(`^v${major}\\.`)),
        interfaces: ['lo'],
        health: 200,
        videoStatus: 'ready',
        transcription: 'completed',
        errors: [],
      });
      expect(visit.user).not.toBe(0);
      // The machine's own ffmpeg isn't on PATH.
      expect(visit.output).toContain('video: ffmpeg as WebAssembly');
      expect(visit.output).toContain('transcription by the built-in engine');
      const wrong = wordErrors(clip.text, visit.words);
      console.log(`${wrong} of ${clip.text.split(' ').length} words are wrong.\n${visit.output}`);
      expect(wrong, visit.words).toBeLessThanOrEqual(MAX_WRONG_WORDS);
    },
    1_200_000,
  );
});
