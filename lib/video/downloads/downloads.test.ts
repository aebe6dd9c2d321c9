import { writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploadObject } from '@/lib/clients/storage-objects';
import { fileResponse } from '@/lib/foundation/http/file-response';
import { entryKey } from '@/lib/journal/entries/keys';
import { archivedTranscript } from '@/lib/journal/transcripts/contract';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { publishTranscript, said } from '@/test/transcript-fixtures';
import { downloadAddress, listDownloads, transcriptData, transcriptFile } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

type Values = Parameters<typeof makeEntry>[1];

/** Makes an entry whose original and final video are in storage. */
async function makeStored(values: Values = {}) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { fileName: 'IMG_0042.MOV', ...values });
  for (const name of ['source', 'video.mp4'] as const) {
    const file = services.folder(`${entryId}-${name}`);
    await writeFile(file, `the bytes of ${name}`);
    await uploadObject(file, entryKey(userId, entryId, name), 'video/mp4');
  }
  return { userId, entryId };
}

/** Returns the name in a response's `filename*`, which all browsers prefer. */
function savedName({ headers }: Response): string {
  const [, name = ''] =
    /^attachment; .*filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '') ?? [];
  return decodeURIComponent(name);
}

describe('the videos of an entry', () => {
  it('are saved from storage under the entry’s date and title, whole or in ranges', async () => {
    const { userId, entryId } = await makeStored({
      title: 'Mom’s “50th” 🎂 / יום הולדת',
      contentType: 'video/quicktime',
    });
    const { url } = await downloadAddress(userId, entryId, 'original');
    const whole = await fetch(url);
    expect(savedName(whole)).toBe('2026-01-15 Mom’s “50th” 🎂 - יום הולדת.mov');
    expect(whole.headers.get('content-type')).toBe('video/quicktime');
    expect(await whole.text()).toBe('the bytes of source');
    const rest = await fetch(url, { headers: { range: 'bytes=13-' } });
    expect([rest.status, savedName(rest), await rest.text()]).toEqual([206, savedName(whole), 'source']);
    const video = await fetch((await downloadAddress(userId, entryId, 'video')).url);
    expect(savedName(video)).toBe('2026-01-15 Mom’s “50th” 🎂 - יום הולדת.mp4');
    expect(await video.text()).toBe('the bytes of video.mp4');
  });

  it('take the new title at once', async () => {
    const { userId, entryId } = await makeStored();
    const { sameForSeconds } = await downloadAddress(userId, entryId, 'original');
    expect(sameForSeconds).toBe(0);
    await db().update(entries).set({ title: 'Renamed' }).where(eq(entries.id, entryId));
    const { url } = await downloadAddress(userId, entryId, 'original');
    expect(savedName(await fetch(url))).toBe('2026-01-15 Renamed.mov');
  });

  it('have different names if both are MP4', async () => {
    const { userId, entryId } = await makeStored({ fileName: 'day.mp4' });
    const list = await listDownloads(userId, entryId);
    expect(list.map(({ fileName }) => fileName)).toEqual([
      '2026-01-15 A day.mp4',
      '2026-01-15 A day.playable.mp4',
    ]);
  });

  it.each<[string, Values]>([
    ['is processing', { videoStatus: 'processing', videoKey: null }],
    ['has only a first copy', { videoStatus: 'processing', videoKey: 'entries/remux.webm' }],
    ['failed', { videoStatus: 'failed', videoKey: null, videoError: 'Broken.' }],
    ['is held by the plan', { videoStatus: 'failed', videoKey: null, heldByPlan: true }],
  ])('include the original while the video %s', async (_, values) => {
    const { userId, entryId } = await makeStored(values);
    expect(await listDownloads(userId, entryId)).toEqual([
      {
        kind: 'original',
        url: `/api/v1/entry/${entryId}/original`,
        fileName: '2026-01-15 A day.mov',
        bytes: 'the bytes of source'.length,
        uploadedName: 'IMG_0042.MOV',
      },
    ]);
    expect((await fetch((await downloadAddress(userId, entryId, 'original')).url)).status).toBe(200);
    expect(await codeOf(downloadAddress(userId, entryId, 'video'))).toBe('not_found');
  });

  it.each(['page.html', 'setup.exe'])('never save %s as what it claims to be', async (fileName) => {
    const failed = { videoStatus: 'failed', videoKey: null, videoError: 'Broken.' } as const;
    const { userId, entryId } = await makeStored({ ...failed, fileName, contentType: 'video/unknown' });
    const [original] = await listDownloads(userId, entryId);
    expect(original?.fileName).toBe('2026-01-15 A day.bin');
    const { url } = await downloadAddress(userId, entryId, 'original');
    expect(savedName(await fetch(url))).toBe('2026-01-15 A day.bin');
  });

  it('aren’t offered before they have arrived, or once storage has lost them', async () => {
    const uploading = await makeStored({ videoStatus: 'uploading', videoKey: null });
    const { id: userId } = await makeUser();
    const lost = { userId, entryId: (await makeEntry(userId)).id };
    for (const entry of [uploading, lost]) {
      expect(await listDownloads(entry.userId, entry.entryId)).toEqual([]);
      expect(await codeOf(downloadAddress(entry.userId, entry.entryId, 'original'))).toBe('not_found');
    }
  });

  it('are the owner’s, and gone with the entry', async () => {
    const { userId, entryId } = await makeStored();
    const refused = async (asking: string) => {
      const asked = [
        listDownloads(asking, entryId),
        downloadAddress(asking, entryId, 'original'),
        downloadAddress(asking, entryId, 'video'),
        transcriptFile(asking, entryId, 'txt'),
        transcriptData(asking, entryId),
      ];
      expect(await Promise.all(asked.map(codeOf))).toEqual(Array(asked.length).fill('not_found'));
    };
    await refused((await makeUser()).id);
    await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, entryId));
    await refused(userId);
  });
});

describe('the transcript', () => {
  const heard = { language: 'en', estimated: true, engine: 'test-engine', logProbability: -0.25, tokens: 4 };

  it('has every revision in its data, with times, confidence, and engine', async () => {
    const { userId, entryId } = await makeStored({ title: 'Dad', transcriptStatus: 'processing' });
    await publishTranscript(
      { userId, entryId },
      {
        ...heard,
        words: [
          ['I', 0, 0.5, 0.9],
          ['called', 1, 1.5, 0.4],
          ['Dan', 2, 2.5],
        ],
      },
    );
    await saveTranscription(userId, entryId, said('I called Dad'));
    const response = fileResponse(await transcriptData(userId, entryId));
    expect(savedName(response)).toBe('2026-01-15 Dad.json');
    const data = archivedTranscript.parse(await response.json());
    const correction = { revision: 1, engine: null, draft: false, estimated: true, logProbability: null };
    expect(data).toEqual({
      format: 'daylight-transcript',
      version: 1,
      status: 'completed',
      language: 'en',
      revisions: [
        {
          revision: 0,
          createdAt: expect.any(String),
          engine: 'test-engine',
          draft: false,
          estimated: true,
          logProbability: -0.25,
          words: [
            { word: 'I', start: 0, end: 0.5, confidence: 0.9 },
            { word: 'called', start: 1, end: 1.5, confidence: 0.4 },
            { word: 'Dan', start: 2, end: 2.5 },
          ],
        },
        {
          ...correction,
          createdAt: expect.any(String),
          words: [
            { word: 'I', start: 0, end: 0.5, confidence: 0.9 },
            { word: 'called', start: 1, end: 1.5, confidence: 0.4 },
            { word: 'Dad', start: 2, end: 2.5 },
          ],
        },
      ],
    });
  });

  it('comes as text and captions, in the current words', async () => {
    const { userId, entryId } = await makeStored({ title: 'Dad', transcriptStatus: 'processing' });
    await publishTranscript({ userId, entryId }, { ...heard, words: [['Helo', 0, 1]] });
    await saveTranscription(userId, entryId, said('Hello'));
    for (const [extension, type, text] of [
      ['txt', 'text/plain', 'Hello\n'],
      ['vtt', 'text/vtt', 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello\n'],
      ['srt', 'application/x-subrip', '1\n00:00:00,000 --> 00:00:01,000\nHello\n'],
    ] as const) {
      const response = fileResponse(await transcriptFile(userId, entryId, extension));
      expect(savedName(response)).toBe(`2026-01-15 Dad.${extension}`);
      expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect(await response.text()).toBe(text);
    }
    const kinds = async () => (await listDownloads(userId, entryId)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['original', 'video', 'text', 'vtt', 'srt', 'json']);
    await saveTranscription(userId, entryId, []);
    expect(await kinds()).toEqual(['original', 'video', 'json']);
  });

  it('is valid data without any words', async () => {
    const { userId, entryId } = await makeStored({ transcriptStatus: 'no_speech' });
    const data = archivedTranscript.parse(await fileResponse(await transcriptData(userId, entryId)).json());
    expect([data.status, data.revisions]).toEqual(['no_speech', []]);
  });

  it('breaks off if the entry is deleted meanwhile, so that nobody takes a part for all of it', async () => {
    const { userId, entryId } = await makeStored({ transcriptStatus: 'processing' });
    await publishTranscript({ userId, entryId }, { ...heard, words: [['Hello', 0, 1]] });
    const response = fileResponse(await transcriptData(userId, entryId));
    await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, entryId));
    expect(await codeOf(response.text())).toBe('not_found');
  });
});
