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

interface DeclaredMethod {
  method: string;
  pattern: RegExp;
}

/** Every operation's method and address, by the first part of the address: none of them has a parameter there. */
const METHODS = new Map<string, DeclaredMethod[]>();
for (const { method, path } of operations) {
  const first = path.split('/')[1] ?? '';
  const pattern = new RegExp(`^/api/v1${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`);
  METHODS.set(first, [...(METHODS.get(first) ?? []), { method, pattern }]);
}

function declaredMethods(path: string): string[] {
  const [, api, version, first = ''] = path.split('/', 4);
  if (api !== 'api' || version !== 'v1') return [];
  const candidates = METHODS.get(first) ?? [];
  return candidates.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

/** Returns the methods of an address, for the header `Allow`; those of a page where it's no operation's. */
export function allowedMethods(path: string): string {
  const declared = declaredMethods(path);
  const methods = declared.length > 0 ? declared : ['GET'];
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method])))].join(
    ', ',
  );
}

/** Returns whether an address belongs to operations, none of which has this method. */
export function lacksMethod(path: string, method: string): boolean {
  const declared = declaredMethods(path);
  if (declared.length === 0 || method === 'OPTIONS') return false;
  return !declared.includes(method === 'HEAD' ? 'GET' : method);
}
