import type { z } from 'zod';
import type { ErrorCode } from './errors';

/** The cookies that let someone call a public operation. */
export type Credential = 'session' | 'refresh' | 'registration' | 'pendingSignIn';

/**
 * One operation of the API as its contract declares it. `endpoint` enforces it, the OpenAPI document is made
 * from it, and a test holds the route files against it.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`, with parameters as `:name`. */
  path: `/${string}`;
  /** A title of a few words: "Delete a note". */
  summary: string;
  /** One or two sentences about what the title leaves open: effects, limits, order. */
  description: string;
  /** Who may call it: anybody, anybody signed in, or only accounts with a verified address. */
  access: 'public' | 'signed-in' | 'verified';
  /** For a public operation that needs a cookie all the same: those that will do. */
  credentials?: readonly Credential[];
  /** A GET that changes state is held to the same origin check as a POST. */
  changesState?: boolean;
  params?: z.ZodType<Record<string, unknown>>;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Largest body in bytes; 64 kB when left out. */
  bodyLimit?: number;
  /**
   * Whether an account's calls of such operations are worked on one after the other: one may take a second of the processor
   * and of the database.
   */
  oneAtATime?: boolean;
  /** The JSON answer; left out where the answer is a redirect or a file, which `produces` then names. */
  response?: z.ZodType;
  produces?: string;
  /** Whether the file is one to save: Content-Disposition names it. */
  attachment?: boolean;
  /** What the file looks like, for the OpenAPI document. */
  producesExample?: string;
  status?: 200 | 201 | 202 | 307;
  /** Whether it responds in pages, with the headers `Link` and `X-Total-Count`. */
  paginated?: boolean;
  /** The statuses whose responses may set or clear cookies. */
  cookiesOn?: readonly number[];
  errors: readonly ErrorCode[];
}

/** Declares an operation, keeping its exact types for `endpoint` and for the browser's client. */
export function operation<const O extends Operation>(declared: O): O {
  return declared;
}
