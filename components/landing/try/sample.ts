/** The sample entry that `scripts/build-sample.ts` makes: a drawn picture with a voice in the public domain. */
export const SAMPLE_VIDEO = '/sample/entry.mp4';
export const SAMPLE_POSTER = '/sample/poster.jpg';
export const SAMPLE_WORDS = '/sample/sample.json';
