import { gzipSync } from 'node:zlib';
import { pathOf } from '@/e2e/client';
import { expect, test } from '@/e2e/fixtures';
import { getEntry } from '@/lib/journal/entries/contract';
import { postNote } from '@/lib/journal/notes/contract';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { insertEntry, userIdOf } from '../database';
import { expectError } from './response-assertions';

/** What Vercel takes, in bytes. */
const PLATFORM_LIMIT = 4_500_000;
const LIMIT = 5_000_000;

const sendGzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

/** Words of nearly as many bytes as a transcript may have, no two alike. */
function longTranscript() {
  const words = Array.from({ length: 88_000 }, (_, index) => ({
    word: `said${index.toString(36)}`,
    startTime: index / 10,
    endTime: (index * 10 + 5) / 100,
  }));
  return { transcription: { words } };
}

test('a transcript of nearly 5 MB is saved from a body that Vercel takes', async ({ account, sql }) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { transcriptStatus: 'completed' });
  const sent = longTranscript();
  const json = JSON.stringify(sent).padEnd(LIMIT);
  expect(Buffer.byteLength(json)).toBe(LIMIT);
  expect(JSON.stringify(sent).length).toBeGreaterThan(PLATFORM_LIMIT);
  const body = gzipSync(json);
  expect(body.length).toBeLessThan(PLATFORM_LIMIT);
  const path = pathOf(saveTranscription, { params: { id } });
  const answer = await account.api.send('POST', path, { headers: sendGzip, body });
  expect(answer.status).toBe(200);
  const { transcription } = await account.api.call(getEntry, { params: { id } });
  expect(transcription.words).toHaveLength(sent.transcription.words.length);
  expect(transcription.words.at(-1)?.word).toBe(sent.transcription.words.at(-1)?.word);
});

test('nothing is inflated beyond an operation’s limit', async ({ account, sql, api, anonymous }) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { transcriptStatus: 'completed' });
  const path = pathOf(saveTranscription, { params: { id } });
  const send = (body: BodyInit, headers = sendGzip) => api.send('POST', path, { headers, body });
  await expectError(await send(gzipSync(JSON.stringify({}).padEnd(LIMIT))), 'validation_failed');
  await expectError(await send(gzipSync(JSON.stringify({}).padEnd(LIMIT + 1))), 'too_large');
  // 4 GB in 4 MB.
  const bomb = Buffer.concat(Array(400).fill(gzipSync(Buffer.alloc(10_000_000))));
  for (const answer of await Promise.all([1, 2, 3].map(() => send(bomb)))) {
    await expectError(answer, 'too_large');
  }
  await expectError(await send(gzipSync('{}').subarray(0, -4)), 'bad_request');
  await expectError(
    await send(gzipSync('{}'), { ...sendGzip, 'content-encoding': 'br' }),
    'unsupported_media_type',
  );
  expect((await anonymous.send('GET', '/api/health')).status).toBe(200);
});

test('small bodies are taken uncompressed only, and what’s signed is read as it was sent', async ({
  account,
  sql,
  api,
  anonymous,
}) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  const path = pathOf(postNote, { params: { id } });
  const body = gzipSync(JSON.stringify({ text: 'Hi' }));
  await expectError(await api.send('POST', path, { headers: sendGzip, body }), 'unsupported_media_type');
  await expectError(await anonymous.send('POST', path, { headers: sendGzip, body }), 'unauthenticated');
  const stripe = { ...sendGzip, 'stripe-signature': 't=1,v1=0' };
  const webhook = await anonymous.send('POST', '/api/webhooks/stripe', { headers: stripe, body });
  const job = await anonymous.send('POST', '/api/inngest', { headers: sendGzip, body });
  expect([webhook.status, job.status]).toEqual([400, 401]);
});
