/** Returns the URL of a file in the archive, relative to index.html. Names may contain spaces, `#`, `%`, and quotes. */
export const fileUrl = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
