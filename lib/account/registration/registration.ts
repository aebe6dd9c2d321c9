import { z } from 'zod';

/** What a browser remembers about its sign-up. It's the same whether or not the address had an account. */
export const registration = z.object({
  email: z.string(),
  /** The ids that signing up with this address has made, oldest first. A taken address's id is no account's. */
  accountIds: z.array(z.string()).default([]),
  /** When this browser last asked for an email, in milliseconds since 1970. */
  askedAt: z.number(),
  /** Where to go after verifying. It comes from the browser, so `safeNextPath` has to check it. */
  next: z.string().optional(),
});

export type Registration = z.output<typeof registration>;
