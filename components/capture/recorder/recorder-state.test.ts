import { describe, expect, it } from 'vitest';
import {
  INITIAL_STATE,
  type Recording,
  recordedTime,
  type StudioEvent,
  type StudioState,
  studioReducer,
} from './recorder-state';

const recording = (name: string): Recording => ({ id: name, file: new File([name], name), marks: [] });
const run = (events: StudioEvent[], from: StudioState = INITIAL_STATE) => events.reduce(studioReducer, from);

const first = recording('first');
const started = run([{ type: 'asked' }, { type: 'started', at: 1000, id: 'copy' }]);
const recorded = run(
  [
    { type: 'stopped', at: 3000 },
    { type: 'finished', recording: first },
  ],
  started,
);

describe('recording', () => {
  it('goes from idle through recording to recorded', () => {
    expect(run([{ type: 'asked' }]).camera.phase).toBe('asking');
    expect(started.camera.phase).toBe('recording');
    expect(recorded.camera).toEqual({ phase: 'recorded', recording: first });
  });

  it('excludes pauses from the recorded time', () => {
    const paused = run([{ type: 'paused', at: 4000 }], started);
    expect(recordedTime(started.camera, 3500)).toBe(2500);
    expect(recordedTime(paused.camera, 90_000)).toBe(3000);
    const resumed = run([{ type: 'resumed', at: 100_000 }], paused);
    expect(recordedTime(resumed.camera, 101_000)).toBe(4000);
    expect(recordedTime(run([{ type: 'stopped', at: 102_000 }], resumed).camera, 200_000)).toBe(5000);
  });

  it('keeps the last recording if the camera fails to open for a new one', () => {
    const refused = run(
      [{ type: 'asked' }, { type: 'refused', voiceOffer: null, problem: 'No camera.' }],
      recorded,
    );
    expect(refused.camera).toEqual({ phase: 'recorded', recording: first });
    expect(refused.problem).toBe('No camera.');
    expect(run([{ type: 'asked' }], refused).problem).toBeNull();
  });

  it('keeps the recording if the camera stops by itself', () => {
    expect(run([{ type: 'finished', recording: first }], started).camera.phase).toBe('recorded');
    expect(run([{ type: 'failed', problem: 'Nothing came.' }], started).camera.phase).toBe('idle');
  });

  it('counts down before recording and can be canceled', () => {
    const counting = run([{ type: 'asked' }, { type: 'counted', left: 3 }, { type: 'counted', left: 2 }]);
    expect(counting.camera).toEqual({ phase: 'counting', previous: null, left: 2 });
    expect(run([{ type: 'cancelled' }], counting).camera.phase).toBe('idle');
    expect(run([{ type: 'started', at: 0, id: 'copy' }], counting).camera.phase).toBe('recording');
    expect(run([{ type: 'counted', left: 1 }], started)).toBe(started);
    expect(run([{ type: 'cancelled' }], started)).toBe(started);
  });

  it('marks the camera as late until it opens', () => {
    const late = run([{ type: 'asked' }, { type: 'late' }], recorded);
    expect(late.camera).toEqual({ phase: 'asking', previous: first, late: true });
    expect(run([{ type: 'cancelled' }], late).camera).toEqual({ phase: 'recorded', recording: first });
    const counting = run([{ type: 'asked' }, { type: 'counted', left: 3 }]);
    expect(run([{ type: 'late' }], counting)).toBe(counting);
    expect(run([{ type: 'cancelled' }, { type: 'asked' }], late).camera).toMatchObject({ late: false });
  });

  it('returns to the last recording if a new one fails', () => {
    const again = run([{ type: 'asked' }, { type: 'counted', left: 3 }], recorded);
    expect(run([{ type: 'cancelled' }], again).camera).toEqual({ phase: 'recorded', recording: first });
    const events: StudioEvent[] = [
      { type: 'started', at: 0, id: 'copy' },
      { type: 'stopped', at: 1 },
      { type: 'failed', problem: 'Nothing came.' },
    ];
    expect(run(events, again)).toMatchObject({
      camera: { phase: 'recorded', recording: first },
      problem: 'Nothing came.',
    });
  });

  it('says why a recording stopped by itself and clears its notices', () => {
    const noticed = run(
      [{ type: 'noticed', notice: { text: 'The device is full.', urgent: true } }],
      started,
    );
    expect(noticed.notice?.urgent).toBe(true);
    const ended = run([{ type: 'finished', recording: first, problem: 'It was unplugged.' }], noticed);
    expect(ended).toMatchObject({ problem: 'It was unplugged.', notice: null });
    expect(run([{ type: 'asked' }], ended).problem).toBeNull();
  });

  it("ignores events that don't fit the state", () => {
    expect(run([{ type: 'started', at: 0, id: 'copy' }])).toBe(INITIAL_STATE);
    expect(run([{ type: 'paused', at: 0 }], recorded)).toBe(recorded);
    expect(run([{ type: 'asked' }], started)).toBe(started);
    expect(run([{ type: 'finished', recording: recording('late') }], recorded)).toBe(recorded);
  });
});

describe('files and recovery', () => {
  const file = new File(['x'], 'walk.mov', { type: 'video/quicktime' });

  it('shows a chosen file in place of the recording, and the recording once the file is removed', () => {
    const recorded: StudioState = {
      ...INITIAL_STATE,
      camera: { phase: 'recorded', recording: recording('mine') },
    };
    const chosen = run([{ type: 'file-changed', file }], recorded);
    expect(chosen.file).toBe(file);
    expect(run([{ type: 'file-changed', file: null }], chosen)).toEqual(recorded);
  });

  it('removes a discarded recording', () => {
    const [old, older] = ['old', 'older'].map((name) => ({
      ...recording(name),
      startedAt: 0,
      length: 1000,
      words: null,
    }));
    if (!old || !older) throw new Error('There are two.');
    const found = run([{ type: 'found', recordings: [old, older] }]);
    expect(run([{ type: 'recording-removed', recording: old }], found).recovered).toEqual([older]);
    const recorded: StudioState = { ...found, camera: { phase: 'recorded', recording: older } };
    expect(run([{ type: 'recording-removed', recording: older }], recorded).camera.phase).toBe('idle');
  });

  it('keeps the file object of a recording that is found again, with its latest words', () => {
    const [one, again, other] = ['one', 'one', 'other'].map((name) => ({
      ...recording(name),
      startedAt: 0,
      length: 1000,
      words: null,
    }));
    if (!one || !again || !other) throw new Error('There are three.');
    const words = { draft: { words: [], logProbability: 0, title: null }, complete: true, until: 1 };
    const found = run([
      { type: 'found', recordings: [one] },
      { type: 'found', recordings: [other, { ...again, words }] },
    ]);
    expect(found.recovered[0]?.file).toBe(other.file);
    expect(found.recovered[1]?.file).toBe(one.file);
    expect(found.recovered[1]?.words).toBe(words);
    expect(run([{ type: 'found', recordings: [] }], found).recovered).toEqual([]);
  });

  it('brings back a discarded recording, unless the camera is in use again', () => {
    const discarded = run([{ type: 'recording-removed', recording: first }], recorded);
    expect(discarded.camera.phase).toBe('idle');
    expect(run([{ type: 'restored', recording: first }], discarded).camera).toEqual(recorded.camera);
    const asked = run([{ type: 'asked' }], discarded);
    expect(run([{ type: 'restored', recording: first }], asked).camera).toBe(asked.camera);
  });

  it('says why there’s no picture, until there is one', () => {
    const withProblem = run([{ type: 'problem-changed', problem: 'No camera.' }]);
    expect(withProblem).toMatchObject({ camera: { phase: 'idle' }, problem: 'No camera.' });
    expect(run([{ type: 'problem-changed', problem: null }], withProblem).problem).toBeNull();
  });
});
