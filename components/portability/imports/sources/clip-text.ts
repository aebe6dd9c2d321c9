import { findTellingName, untitled } from '@/components/capture/uploads/video-file/file-date';
import { cleanText } from '@/lib/foundation/shared/clean-text';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';

/** The longest title, in characters. */
export const MAX_TITLE = 200;

/** Returns a line without Markdown: headings, lists, emphasis, links. Each is looked for within limits, which keeps it fast. */
const withoutMarkup = (line: string) =>
  line
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.|\[[ x]\])\s+/i, '')
    .replaceAll(/!?\[([^\]]{0,500})\]\([^)]{0,500}\)/g, '$1')
    .replaceAll(/(\*\*|__|~~|`)(.{1,250}?)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\d])([*_])(?!\s)(.{1,250}?)(?<!\s)\1(?![\p{L}\d])/gu, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Cuts a title after a word. @param max how many characters it may have */
export function shorten(line: string, max = MAX_TITLE): string {
  const characters = [...line];
  if (characters.length <= max) return line;
  const cut = characters.slice(0, max - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > 0 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/**
 * Returns the first line of a text as a title, without markup, and what the title leaves out: the lines below, or all of
 * it if the first line is too long for a title.
 */
export function titleOfText(original: string): { title: string; rest: string } {
  const text = cleanText(original);
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /[\p{L}\p{N}\p{S}]/u.test(withoutMarkup(line)));
  if (first < 0) return { title: '', rest: '' };
  const line = withoutMarkup(lines[first] ?? '');
  const title = shorten(line);
  const below = lines.slice(first + 1).join('\n');
  return { title, rest: (title === line ? below : text).trim() };
}

/**
 * Returns a clip's title, and whether it says something about the clip: more than a date, a number, or a camera's name.
 * @param said what its sidecar or its journal says; '' if nothing
 * @param name the file's
 */
export function titleOfClip(said: string, name: string, date: CalendarDate | null) {
  const title = said || findTellingName(name);
  return title ? { title, isTelling: true } : { title: date ? untitled(date) : 'Video', isTelling: false };
}

/** What a note takes. */
const MAX_NOTE = 10_000;
/** What a tag's name takes. */
const MAX_TAG = 50;

/** Splits a text into notes, after a line or a word if possible. */
export function splitText(text: string): string[] {
  const notes: string[] = [];
  let rest = text.trim();
  while (rest.length > MAX_NOTE) {
    const piece = rest.slice(0, MAX_NOTE);
    const end = Math.max(piece.lastIndexOf('\n'), 0) || Math.max(piece.lastIndexOf(' '), 0) || MAX_NOTE - 1;
    notes.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return rest ? [...notes, rest] : notes;
}

/** Returns names as tags take them, each once, whatever its case. */
export function toTagNames(names: readonly string[]): string[] {
  const tags = new Map<string, string>();
  for (const name of names) {
    const tag = [...cleanText(name).replaceAll(/\s+/g, ' ').trim()].slice(0, MAX_TAG).join('').trim();
    if (tag && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()];
}
