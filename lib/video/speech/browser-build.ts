/** What recognizes speech in browsers: the address of its worker's folder, and how many bytes of models it downloads. */
export interface BrowserSpeech {
  folder: string;
  bytes: number;
}

/** Returns what `scripts/build-speech.ts` has built for this version of the site. */
// next.config.ts sets it, and Next replaces it with its value in the build.
export const browserSpeech = (): BrowserSpeech => JSON.parse(process.env.BROWSER_SPEECH ?? '');
