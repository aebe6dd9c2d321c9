import localFont from 'next/font/local';

/*
 * Figtree is for the interface, Literata for headings and transcripts. Both are under the SIL Open Font License 1.1,
 * included in this folder. Each comes in two subsets, with Fontsource's ranges: browsers load `latin-ext` only for
 * pages that contain one of its letters.
 */

export const figtree = localFont({
  src: './figtree-latin-wght-normal.woff2',
  weight: '300 900',
  display: 'swap',
  variable: '--font-figtree',
  adjustFontFallback: 'Arial',
  preload: true,
});

export const figtreeExtended = localFont({
  src: './figtree-latin-ext-wght-normal.woff2',
  weight: '300 900',
  display: 'swap',
  variable: '--font-figtree-ext',
  adjustFontFallback: false,
  preload: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
});

export const literata = localFont({
  src: './literata-latin-wght-normal.woff2',
  weight: '200 900',
  display: 'swap',
  variable: '--font-literata',
  adjustFontFallback: 'Times New Roman',
  preload: false,
});

export const literataExtended = localFont({
  src: './literata-latin-ext-wght-normal.woff2',
  weight: '200 900',
  display: 'swap',
  variable: '--font-literata-ext',
  adjustFontFallback: false,
  preload: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
});
