import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryFileName, sourceExtension } from './file-names';

const named = (title: string, extension?: string) => entryFileName({ date: '2026-11-18', title }, extension);

describe('the name of an entry’s file', () => {
  it.each([
    ['The morning I finally called Dad', '2026-11-18 The morning I finally called Dad.mp4'],
    ['Why? 10:30 <3 / "home" | a\\b*', "2026-11-18 Why 10-30 3 - 'home' - a-b.mp4"],
    ['  two\tspaces\u00a0\n here  ', '2026-11-18 two spaces here.mp4'],
    ['Well. . .', '2026-11-18 Well.mp4'],
    ['../../etc/passwd', '2026-11-18 ..-..-etc-passwd.mp4'],
    ['\u202egpj.exe\u202c \u200efine\u0007', '2026-11-18 gpj.exe fine.mp4'],
    ['Cafe\u0301', '2026-11-18 Café.mp4'],
    ['e\u202e\u0301', '2026-11-18 é.mp4'],
    ['می\u200cخواهم', '2026-11-18 می\u200cخواهم.mp4'],
    ['👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️', '2026-11-18 👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️.mp4'],
    ['\ud83d', '2026-11-18 �.mp4'],
    ['', '2026-11-18.mp4'],
    ['???', '2026-11-18.mp4'],
    ['\u200d\u200c', '2026-11-18.mp4'],
  ])('of %j is safe and readable', (title, name) => {
    expect(named(title, 'mp4')).toBe(name);
  });

  it('has no dot without an extension', () => {
    expect(named('A walk.')).toBe('2026-11-18 A walk');
  });

  it('is cut between characters as people see them', () => {
    const family = '👨‍👩‍👧‍👦';
    const name = named(family.repeat(20));
    expect(name).toBe(`2026-11-18 ${family.repeat(4)}`);
    expect(named(`a${'\u0301'.repeat(200)}`)).toBe('2026-11-18');
    expect(named(`${'x'.repeat(108)} word`)).toBe(`2026-11-18 ${'x'.repeat(108)}`);
  });

  it('can be created on every system, whatever the title', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('..', '. ', 'CON', 'nul', '\u202e', '\u200d', '\ud800', '/', '\0', '\uffff', '\u0344'),
    );
    const titles = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(titles, (title) => {
        const name = named(title);
        expect(name).toMatch(/^2026-11-18( .*[^. ])?$/u);
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
        expect(name).toBe(name.normalize('NFC'));
      }),
    );
  });
});

describe('the extension of an uploaded video', () => {
  it.each([
    ['IMG_0042.MOV', 'video/quicktime', 'mov'],
    ['holiday.m4v', 'video/mp4', 'm4v'],
    ['recording', 'video/webm;codecs=vp9,opus', 'webm'],
    ['St.Louis', 'video/x-matroska', 'mkv'],
    ['2026.11.18', 'video/mp4', 'mp4'],
    ['tape.mxf', 'video/unknown', 'mxf'],
    ['page.html', 'video/mp4', 'mp4'],
    ['page.html', 'video/unknown', 'bin'],
    ['PAGE.SVG', 'video/unknown', 'bin'],
    ['setup.exe', 'video/unknown', 'bin'],
    ['setup.mp4.exe', 'video/unknown', 'bin'],
    ['words.txt', 'video/unknown', 'bin'],
    ['version 1.25', 'video/unknown', 'bin'],
    ['.mp4/../x', 'video/unknown', 'bin'],
    ['clip.m\u202ep4', 'video/unknown', 'bin'],
  ])('of %j, %s, is known', (fileName, type, extension) => {
    expect(sourceExtension(fileName, type)).toBe(extension);
  });
});
