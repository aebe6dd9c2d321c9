/** Made up, so that one pattern finds each of them wherever and however it's quoted. */
const phrase = (number: number) => `plant3d${String(number).padStart(2, '0')}secret`;

const phrases = Array.from({ length: 30 }, (_, index) => phrase(index + 1));
const take = (from: number, to: number) => phrases.slice(from - 1, to);

/** Thirty phrases and where each is planted. */
export const planted = {
  title: phrase(1),
  fileName: `${phrase(2)}.mp4`,
  firstName: phrase(3),
  lastName: phrase(4),
  email: (unique: string) => `${phrase(5)}.${unique}@example.com`,
  tags: take(6, 8),
  notes: take(9, 12),
  corrected: take(13, 17),
  /** What the speech service hears. */
  spoken: take(18, 27),
  /** Tags inside the video file. */
  fileTitle: phrase(28),
  fileComment: phrase(29),
  /** In the speech service's own errors, beside what it heard. */
  serviceError: phrase(30),
};

/** What a service quotes in an error: everything. */
export const everything = phrases.join(' ');

/** Returns the planted phrases that occur in a text, each once. */
export function phrasesIn(text: string): string[] {
  return [...new Set(text.match(/plant3d\d\dsecret/gi) ?? [])].sort();
}
