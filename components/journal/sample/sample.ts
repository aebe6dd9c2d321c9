/** The files of the sample entry that `lab/sample/build.ts` makes: a drawn picture with a voice in the public domain. */
export const SAMPLE_VIDEO = '/sample/entry.mp4';
export const SAMPLE_POSTER = '/sample/poster.jpg';
/** The page that plays it. */
export const SAMPLE_HREF = '/entry/sample';
