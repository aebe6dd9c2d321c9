/** Made up, so that one pattern finds each of them wherever and however it's quoted. */
const canary = (number: number) => `plant3d${String(number).padStart(2, '0')}secret`;

const canaryTexts = Array.from({ length: 31 }, (_, index) => canary(index + 1));
const canaryRange = (from: number, to: number) => canaryTexts.slice(from - 1, to);

/** Phrases and where each is stored. */
export const canaries = {
  title: canary(1),
  fileName: `${canary(2)}.mp4`,
  firstName: canary(3),
  lastName: canary(4),
  email: (unique: string) => `${canary(5)}.${unique}@example.com`,
  tags: canaryRange(6, 8),
  notes: canaryRange(9, 12),
  corrected: canaryRange(13, 17),
  /** What the speech service hears. */
  spoken: canaryRange(18, 27),
  /** Tags inside the video file. */
  fileTitle: canary(28),
  fileComment: canary(29),
  /** In the speech service's own errors, beside what it heard. */
  serviceError: canary(30),
  /** In the person's vocabulary. */
  vocabulary: canary(31),
};

/** What a service quotes in an error: everything. */
export const allCanaries = canaryTexts.join(' ');

/** Returns the canary phrases that occur in a text, each once. */
export function findCanaries(text: string): string[] {
  return [...new Set(text.match(/plant3d\d\dsecret/gi) ?? [])].sort();
}
