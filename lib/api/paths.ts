import { operations } from './operations';

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether every escape in a path is one, and all of them together are UTF-8. */
export const isWellEscaped = (path: string): boolean => !path.includes('%') || decodes(path);

/**
 * Returns an address whose bad escapes are replaced the way browsers show them: bytes that aren't UTF-8 by U+FFFD, and
 * a percent sign that starts no escape by its own escape.
 */
export function repairEscapes(address: string): string {
  return address.replace(/(?:%[0-9a-f]{2})+|%/gi, (escapes) => {
    if (escapes === '%') return '%25';
    if (decodes(escapes)) return escapes;
    return encodeURIComponent(Buffer.from(escapes.replaceAll('%', ''), 'hex').toString());
  });
}

const METHODS = operations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^/api/v1${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** Returns the methods of an address, for the header `Allow`; those of a page where it's no operation's. */
export function allowedMethods(path: string): string {
  const declared = METHODS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  const methods: string[] = declared.length > 0 ? declared : ['GET'];
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])))].join(
    ', ',
  );
}
