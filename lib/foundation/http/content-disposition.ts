/** Characters that encodeURIComponent leaves as they are and RFC 8187, 3.2.1 doesn't allow. */
const NOT_ATTRIBUTE_CHARACTERS = /['()*]/g;

const percentEncode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Returns a Content-Disposition that has a browser save the response under a name (RFC 6266). Programs that don't know
 * `filename*` get the name in ASCII.
 */
export function attachment(fileName: string): string {
  const ascii = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    // Some browsers decode percent signs, and quotes would need escapes that others don't understand.
    .replace(/[^\x20-\x7e]|[%"\\]/gu, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    NOT_ATTRIBUTE_CHARACTERS,
    percentEncode,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
