/** What systems leave in folders and ZIPs, which people don't see. */
const JUNK =
  /(?:^|\/)(?:__MACOSX\/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini|\.thumbnails\/.*|@eaDir\/.*)$/i;
/** Files that are surely no videos, which need no look inside. */
const OTHER_FILE =
  /\.(?:json|html?|css|csv|txt|md|xml|xmp|aae|thm|lrv|srt|vtt|pdf|docx?|jpe?g|png|gif|heic|heif|webp|bmp|tiff?|dng|raw|cr2|nef|arw|mp3|m4a|wav|aac|flac|zip|tgz|db|ini|exe)$/i;

/** Returns whether a path is one of the system's own files. */
export const isJunk = (path: string) => JUNK.test(path);

/** Returns whether a file is no video, by its name. */
export const isOtherFile = (name: string) => OTHER_FILE.test(name);
