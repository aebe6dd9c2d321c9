import { describe, expect, it } from 'vitest';
import { momentNotes } from './moment-notes';
import { groupPins, pinLabel, pinNumbers } from './note-pins';

const notesAt = (...moments: (number | null)[]) =>
  momentNotes(
    moments.map((moment, index) => ({
      id: String(index),
      text: `said at ${moment}`,
      createdAt: '2026-01-01T00:00:00.000Z',
      moment,
    })),
  );

const numbersOf = (moments: number[], width: number) =>
  groupPins(notesAt(...moments), 100, width).map(pinNumbers);

describe('momentNotes', () => {
  it('numbers notes about moments in the video’s order, and leaves out the others', () => {
    expect(notesAt(30, null, 10).map(({ number, moment }) => [number, moment])).toEqual([
      [1, 10],
      [2, 30],
    ]);
  });
});

describe('groupPins', () => {
  it('gives each note a pin where there’s space, and groups those that would overlap', () => {
    expect(numbersOf([10, 40, 45, 49, 90], 1000)).toEqual(['1', '2', '3–4', '5']);
    expect(numbersOf([10, 40, 45, 49, 90], 350)).toEqual(['1', '2–4', '5']);
    expect(numbersOf([1, 2, 3], 350)).toEqual(['1–3']);
  });

  it('keeps pins on the bar, and far enough apart at its ends', () => {
    const pins = groupPins(notesAt(0, 99, 100, 500), 100, 300);
    expect(pins.map(({ x }) => x)).toEqual([14, 286]);
    expect(pins.map(pinNumbers)).toEqual(['1', '2–4']);
  });

  it('shows none before the video’s length and the bar’s width are known', () => {
    expect(groupPins(notesAt(1), 0, 300)).toEqual([]);
    expect(groupPins(notesAt(1), 100, 0)).toEqual([]);
  });
});

describe('pinLabel', () => {
  it('names the note, its time, and its words', () => {
    const [alone] = groupPins(notesAt(72), 400, 300);
    expect(alone && pinLabel(alone)).toBe('Note 1 at 1:12: said at 72');
    const [group] = groupPins(notesAt(72, 73), 400, 300);
    expect(group && pinLabel(group)).toBe('Notes 1 to 2 from 1:12: said at 72');
  });

  it('shortens long notes', () => {
    const [pin] = groupPins([{ id: '1', number: 1, moment: 0, text: 'word '.repeat(50) }], 10, 300);
    expect(pin && pinLabel(pin)).toMatch(/^Note 1 at 0:00: (word ){15}word…$/);
  });
});
