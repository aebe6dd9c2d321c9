/** Line breaks but for a line feed: of Windows and old Macs, within a paragraph of a presentation, and of mainframes. */
const LINE_BREAKS = /\r\n?|[\v\f\u0085]/g;
/** C0 and C1 control characters but for tab and line feed; nothing a person types, and Postgres refuses NUL. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
/**
 * What can be seen. Among what can't are zero-width spaces, Hangul fillers, and variation selectors (Unicode, UAX #44), and
 * the empty Braille pattern.
 */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Returns a text as Daylight stores it: well-formed (jsonb refuses lone surrogates), in NFC, with line feeds for all line
 * breaks, without other control characters, and trimmed. Joiners inside stay: Persian, Indic scripts, and emoji need them.
 */
export const cleanText = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(LINE_BREAKS, '\n').replace(CONTROLS, '').trim();

/** Returns whether a text has nothing that can be seen. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);
