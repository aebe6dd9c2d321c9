import type { IncomingMessage } from 'node:http';

/** Returns a request's path, without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? '';

/** Returns whether a path is a file's, such as a script or an icon. Files cost little, and a page needs many. */
export const isFile = (path: string): boolean =>
  path.startsWith('/_next/') ||
  (!path.startsWith('/api/') && path.slice(path.lastIndexOf('/')).includes('.'));
