import { env } from '@/lib/foundation/env';

/** Returns the domain of the address in MAIL_FROM (`Name <name@domain>` or `name@domain`), if it has one. */
export function senderDomain(): string | undefined {
  const { MAIL_FROM } = env();
  const address = /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  return /^[^\s@<>]+@([^\s@<>]+\.[^\s@<>.]+)$/.exec(address.trim())?.[1]?.toLowerCase();
}
