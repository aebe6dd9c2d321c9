import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { transcripts } from '@/db/schema/transcripts';
import { allCanaries, canaries, findCanaries } from './leaks/canaries';
import { copyWithCanaries } from './leaks/entry';
import { createFaults, type FaultInjector } from './leaks/faults';
import { type LeakFixture, startLeakFixture } from './leaks/fixture';
import { openAiError, respondWith, spokenWords, transcriptResponse } from './leaks/responses';
import { type Outcome, runWithFaults } from './leaks/run';
import { h264Mp4, vp9Webm } from './media/clips';

const OURS = 'We couldn’t finish the transcript. Try again in a few minutes.';
const AWAY = 'We couldn’t reach the speech service. Try again later.';
const BUSY = 'The speech service is busy right now. Try again in a few minutes.';
const NONSENSE = 'The speech service didn’t return a transcript. Try again later.';
const GAVE_UP = 'Something went wrong on our end, but your original upload is safe.';

let stage: LeakFixture;
let faults: ReturnType<typeof createFaults>;
let clip: string;
/** Has to be encoded again, and so gets a remux too. */
let slowClip: string;

beforeAll(async () => {
  stage = await startLeakFixture('speech service');
  faults = createFaults(stage);
  clip = await copyWithCanaries(await h264Mp4(), 'canary.mp4');
  slowClip = await copyWithCanaries(await vp9Webm(), 'canary.webm');
});
afterAll(() => stage.end());

const GARBAGE = `plain words: ${allCanaries}`;

describe('process-video', () => {
  const ready = {
    videoStatus: 'ready',
    videoError: null,
    transcriptStatus: 'completed',
    transcriptError: null,
  };
  const failed = { videoStatus: 'failed', videoError: GAVE_UP };

  it.each<[fault: string, outcome: Outcome, fast: boolean, broken: FaultInjector[]]>([
    ['nothing', ready, true, []],
    ['nothing, with a remux', ready, false, []],
    ['storage in probe', failed, true, [() => faults.breakStorage('GET', /source$/)]],
    ['storage in thumbnail', failed, true, [() => faults.breakStorage('PUT', /thumbnail\.jpg$/)]],
    ['storage in remux', failed, false, [() => faults.breakStorage('PUT', /remux\.webm$/)]],
    ['storage in video', failed, true, [() => faults.breakStorage('PUT', /video\.mp4$/)]],
    [
      'storage in storyboard',
      { videoStatus: 'ready' },
      true,
      [() => faults.breakStorage('PUT', /storyboard\.jpg$/)],
    ],
    ['storage in delete-remux', ready, false, [() => faults.breakStorage('DELETE', /remux\.webm$/)]],
    [
      'a query in probe',
      failed,
      true,
      [() => faults.breakWrites('entries', "new.video_status = 'processing'")],
    ],
    [
      'a query in thumbnail',
      failed,
      true,
      [() => faults.breakConstraint('entries', 'thumbnail_key is null')],
    ],
    [
      'a query in remux',
      failed,
      false,
      [() => faults.breakWrites('entries', "new.video_key like '%remux%'")],
    ],
    ['a query in video', failed, true, [() => faults.breakConstraint('entries', "video_status <> 'ready'")]],
    [
      'a query in storyboard',
      { videoStatus: 'ready' },
      true,
      [() => faults.breakWrites('previews', 'new.storyboard is not null')],
    ],
    [
      'a query in waveform',
      { videoStatus: 'ready' },
      true,
      [() => faults.breakWrites('previews', 'new.waveform is not null')],
    ],
    [
      'ffmpeg',
      { videoStatus: 'failed', videoError: 'Something went wrong while we processed this video.' },
      true,
      [() => faults.breakFfmpeg()],
    ],
    [
      'a query in refuse',
      { videoStatus: 'failed' },
      true,
      [() => faults.breakFfmpeg(), () => faults.breakWrites('entries', "new.video_status = 'failed'", 2)],
    ],
    [
      'a query in onFailure',
      failed,
      true,
      [
        () => faults.breakStorage('PUT', /video\.mp4$/),
        () => faults.breakWrites('entries', "new.video_status = 'failed'", 1),
      ],
    ],
    ['the job service in request-transcript', ready, true, [() => faults.breakEvents(5)]],
  ])('ends as it should when this fails: %s', async (_fault, outcome, fast, broken) => {
    expect(await runWithFaults(stage, 'entry/uploaded', fast ? clip : slowClip, broken)).toMatchObject(
      outcome,
    );
  });
});

describe('transcribe', () => {
  const completed = { transcriptStatus: 'completed', transcriptError: null };
  const failed = (transcriptError: string) => ({ transcriptStatus: 'failed', transcriptError });
  const speech = (...answers: Parameters<typeof faults.breakSpeech>) => [
    () => faults.breakSpeech(...answers),
  ];
  const words = (value: unknown) => respondWith(200, { language: allCanaries, words: value });

  it.each<[fault: string, outcome: Outcome, broken: FaultInjector[]]>([
    ['storage in extract-speech, reading', failed(OURS), [() => faults.breakStorage('GET', /source$/)]],
    ['storage in extract-speech, writing', failed(OURS), [() => faults.breakStorage('PUT', /speech-0/)]],
    ['storage in transcribe-0', failed(OURS), [() => faults.breakStorage('GET', /speech-0/)]],
    ['storage in publish', completed, [() => faults.breakStorage('DELETE', /speech-0/)]],
    ['ffmpeg', failed('Something went wrong while we processed this video.'), [() => faults.breakFfmpeg()]],
    ['a query in transcribe-0', failed(OURS), [() => faults.breakWrites('transcript_parts', 'true')]],
    [
      'a constraint in transcribe-0',
      failed(OURS),
      [() => faults.breakConstraint('transcript_parts', 'part > 5')],
    ],
    ['a query in publish', failed(OURS), [() => faults.breakWrites('transcripts', 'new.revision = 0')]],
    ['a constraint in publish', failed(OURS), [() => faults.breakConstraint('transcripts', 'revision > 0')]],
    [
      'a query in refuse',
      failed('The speech service rejected this recording.'),
      [
        ...speech(respondWith(400, openAiError('bad'))),
        () => faults.breakWrites('entries', "new.transcript_status = 'failed'", 2),
      ],
    ],
    [
      'a query in onFailure',
      failed(AWAY),
      [
        ...speech(respondWith(500, GARBAGE)),
        () => faults.breakWrites('entries', "new.transcript_status = 'failed'", 1),
      ],
    ],
    ['500 with the words', failed(AWAY), speech(respondWith(500, { text: allCanaries, words: spokenWords }))],
    ['500 once', completed, speech(respondWith(500, GARBAGE), transcriptResponse)],
    [
      '429 with the words',
      failed(BUSY),
      speech(respondWith(429, openAiError('busy'), { 'retry-after': '3' })),
    ],
    ['429 without a time', failed(BUSY), speech(respondWith(429, GARBAGE))],
    [
      '400 with the words',
      failed('The speech service rejected this recording.'),
      speech(respondWith(400, openAiError('x'))),
    ],
    [
      '401 with the words',
      failed('The speech service doesn’t accept the configured key.'),
      speech(respondWith(401, GARBAGE)),
    ],
    ['no JSON', failed(NONSENSE), speech(respondWith(200, GARBAGE))],
    [
      'another shape',
      failed(NONSENSE),
      speech(respondWith(200, { words: { [canaries.serviceError]: allCanaries } })),
    ],
    ['a text without times', failed(NONSENSE), speech(respondWith(200, { text: allCanaries }))],
    [
      'times that run backwards',
      failed(NONSENSE),
      speech(words([{ word: allCanaries.slice(0, 40), start: 9, end: 1 }])),
    ],
    ['a word without end', failed(NONSENSE), speech(words([{ word: allCanaries, start: 0, end: 1 }]))],
    [
      'a broken connection',
      failed(AWAY),
      speech((_incoming, outgoing) => {
        outgoing.writeHead(200, { 'content-length': '99999' }).write(allCanaries);
        outgoing.destroy();
      }),
    ],
    ['an unknown language', completed, speech(words(spokenWords))],
  ])('ends as it should when this fails: %s', async (_fault, outcome, broken) => {
    expect(await runWithFaults(stage, 'entry/transcript.wanted', clip, broken)).toMatchObject(outcome);
  });
});

describe('canary phrases', () => {
  let seen: Awaited<ReturnType<LeakFixture['stopAndCollect']>>;
  beforeAll(async () => {
    seen = await stage.stopAndCollect();
  });

  it('reached their place', async () => {
    const rows = await db()
      .select({ words: transcripts.words, revision: transcripts.revision })
      .from(transcripts);
    const original = rows.filter(({ revision }) => revision === 0).map(({ words }) => JSON.stringify(words));
    expect(original.length).toBeGreaterThan(5);
    for (const words of original) expect(findCanaries(words)).toEqual(canaries.spoken);
    expect(findCanaries(allCanaries)).toHaveLength(31);
    // All four kinds of records are there to be searched.
    expect(seen.exchanges).toContain('StepError');
    expect(seen.kept).toContain('inngest/function.failed');
    expect(seen.logs).toContain('media: a step failed');
    expect([...seen.spanNames]).toEqual(
      expect.arrayContaining([
        'process-video probe-file',
        'ffprobe',
        'S3 PutObject',
        'outbox send',
        'update entries',
      ]),
    );
  });

  it('are in nothing that went to or came from the job service', () =>
    expect(findCanaries(seen.exchanges)).toEqual([]));
  it('are in no event, step output or error that it keeps', () =>
    expect(findCanaries(seen.kept)).toEqual([]));
  it('are in no line of the log', () => expect(findCanaries(seen.logs)).toEqual([]));
  it('are in no span and no metric', () => expect(findCanaries(seen.exported)).toEqual([]));
});
