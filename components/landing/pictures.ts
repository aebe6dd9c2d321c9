/** The pictures that `npm run assets -- pictures` takes of the running site. */

/** What links to the site show elsewhere. */
export const PREVIEW = {
  url: '/pictures/preview.png',
  width: 1200,
  height: 630,
  alt: 'Daylight: a private journal you keep by talking',
};

/** The sample entry's page, in CSS pixels. */
export const ENTRY_PICTURES = {
  wide: { name: 'entry-wide', width: 1120, height: 600 },
  narrow: { name: 'entry-narrow', width: 358, height: 860 },
} as const;

/** A journal that was really exported: the sample entry's. */
export const EXAMPLE_EXPORT = '/pictures/example-export.zip';
