import { VIDEO_TYPES } from './shared/video-types';

/**
 * The most UTF-8 bytes before the extension. Most file systems take 255 for the whole name, eCryptfs 143, and Windows
 * 260 characters for a path. Archives add up to ` (123).playable.mp4`.
 */
const MAX_BYTES = 120;

/** Extensions of videos whose media type nobody agrees on, or that have none. */
const UNTYPED = new Set(['dv', 'f4v', 'm2v', 'mxf', 'ogm', 'rm', 'rmvb']);

const DIRECTIONS_AND_CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** Format characters that words and emoji need: joiners, and tags, which follow a black flag to make a region’s flag. */
const NEEDED_FORMAT = /^(?:\u200c|\u200d|[\u{e0020}-\u{e007f}])$/u;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const utf8 = new TextEncoder();

/** Returns as many whole graphemes as fit into `maxBytes` of UTF-8. */
function cut(text: string, maxBytes: number): string {
  let end = 0;
  let bytes = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    bytes += utf8.encode(segment).length;
    if (bytes > maxBytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Returns a title without what Windows, macOS, Linux or ZIP tools refuse or misread in a file name. */
function safeTitle(title: string): string {
  const safe = title
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(DIRECTIONS_AND_CONTROLS, (character) => (NEEDED_FORMAT.test(character) ? character : ''))
    .replaceAll('"', "'")
    .replace(/[/\\:|]+/g, '-')
    .replace(/[<>?*]+/g, '')
    .normalize('NFC');
  return VISIBLE.test(safe) ? safe : '';
}

/**
 * Returns the name of an entry's file, such as `2026-11-18 The morning I finally called Dad.mp4`: safe on Windows,
 * macOS, and Linux and in ZIP files, in Unicode NFC, and at most 120 UTF-8 bytes before the extension. It starts with
 * the date, so it's never empty, hidden, or the name of a device. Different entries can have the same name.
 * @param entry its date is `YYYY-MM-DD`
 * @param extension without the dot
 */
export function entryFileName({ date, title }: { date: string; title: string }, extension = ''): string {
  // Windows drops dots and spaces at the end of a name.
  const stem = cut(`${date} ${safeTitle(title).trimStart()}`, MAX_BYTES).replace(/[\s.]+$/, '');
  return extension ? `${stem}.${extension}` : stem;
}

/**
 * Returns the extension of an uploaded video, without the dot: that of its name if it's a video's, or else of its media
 * type. Anything else is `bin`, so that a download is never a page or a program that opens.
 */
export function sourceExtension(fileName: string, contentType: string): string {
  const named = /\.([a-z0-9]{2,5})$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (VIDEO_TYPES.has(named)) return named;
  const [type = ''] = contentType.toLowerCase().split(';');
  for (const [extension, known] of VIDEO_TYPES) if (known === type.trim()) return extension;
  return UNTYPED.has(named) ? named : 'bin';
}
