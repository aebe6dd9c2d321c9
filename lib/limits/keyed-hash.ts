import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';

/** Hashes what is counted with our secret: there are too few addresses for a plain hash to hide them. */
export function keyedHash(parts: string[]): string {
  return createHmac('sha256', env().AUTH_SECRET).update(JSON.stringify(parts)).digest('base64url');
}
