import { afterEach, expect, it, vi } from 'vitest';
import { stubBrowser } from '@/test/browser';
import { resumeWithFile } from './interrupted-uploads';
import { cancelUpload } from './queue';
import { setUploads } from './upload-queue-store';

afterEach(() => void vi.unstubAllGlobals());

it('resumes an upload with its file, also from a disk that composes letters in another way', async () => {
  stubBrowser('someone', []).isOnline = false;
  const name = 'Été à la mer.mp4';
  const fileOf = (own: string) => new File(['video'], own);
  for (const [own, isResumed] of [
    [name.normalize('NFD'), true],
    [name.normalize('NFC'), true],
    ['Ete a la mer.mp4', false],
  ] as const) {
    const about = { id: 'upload', owner: 'someone', title: 'Summer', sent: 0, total: 5, problem: null };
    const state = { phase: 'file-needed', secondsLeft: null, inBackground: false } as const;
    setUploads([{ ...about, ...state, name: name.normalize('NFC'), date: { year: 2019, month: 7, day: 4 } }]);
    expect(await resumeWithFile('upload', fileOf(own))).toBe(isResumed);
    await cancelUpload('upload').catch(() => {});
  }
});
