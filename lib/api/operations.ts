import type { z } from 'zod';
import * as activity from '@/lib/account/activity/contract';
import * as deletion from '@/lib/account/deletion/contract';
import * as passkeys from '@/lib/account/passkeys/contract';
import * as preferences from '@/lib/account/preferences/contract';
import * as profile from '@/lib/account/profile/contract';
import * as providers from '@/lib/account/providers/contract';
import * as registration from '@/lib/account/registration/contract';
import * as security from '@/lib/account/security/contract';
import * as sessions from '@/lib/account/sessions/contract';
import * as setup from '@/lib/account/setup/contract';
import * as plans from '@/lib/billing/plans/contract';
import * as billing from '@/lib/billing/subscriptions/contract';
import type { Operation } from '@/lib/foundation/contract/operation';
import * as bulk from '@/lib/journal/bulk/contract';
import * as entries from '@/lib/journal/entries/contract';
import * as entryMedia from '@/lib/journal/entries/media-contract';
import * as memories from '@/lib/journal/memories/contract';
import * as notes from '@/lib/journal/notes/contract';
import * as search from '@/lib/journal/search/contract';
import * as tags from '@/lib/journal/tags/contract';
import * as timeline from '@/lib/journal/timeline/contract';
import * as transcripts from '@/lib/journal/transcripts/contract';
import * as exports from '@/lib/portability/exports/contract';
import * as imports from '@/lib/portability/imports/archive/contract';
import * as clips from '@/lib/portability/imports/clips/contract';
import * as importHistory from '@/lib/portability/imports/history/contract';
import * as reminders from '@/lib/reminders/contract';
import * as downloads from '@/lib/video/downloads/contract';
import * as previews from '@/lib/video/previews/contract';
import * as uploads from '@/lib/video/uploads/contract';
import { openApi } from './contract';

/** The groups that the OpenAPI document has operations in, each with its contracts. */
export const groups = [
  {
    tag: 'Accounts',
    about: 'Sign up, verify an email address, log in, and reset a password. Create a site’s first account.',
    in: [registration, setup],
  },
  { tag: 'Sessions', about: 'Where an account is signed in.', in: [sessions] },
  {
    tag: 'Security',
    about: 'Password, email address, two-factor login, and security events.',
    in: [security, activity],
  },
  { tag: 'Passkeys', about: 'Sign in without a password.', in: [passkeys] },
  { tag: 'Providers', about: 'Sign in with another account.', in: [providers] },
  {
    tag: 'Settings',
    about: 'The profile, preferences, and how videos are processed.',
    in: [profile, preferences],
  },
  {
    tag: 'Entries',
    about: 'The journal, its trash, and each entry’s video.',
    in: [entries, entryMedia, timeline, previews],
  },
  { tag: 'Bulk actions', about: 'Change many entries at once, and undo it.', in: [bulk] },
  { tag: 'Uploads', about: 'Send videos to storage, in one piece or in parts.', in: [uploads] },
  {
    tag: 'Imports',
    about:
      'Bring back what was exported, or videos from elsewhere, which follow as uploads in parts. Undo it.',
    in: [importHistory, imports, clips],
  },
  { tag: 'Transcripts', about: 'What was said, word by word, with every revision.', in: [transcripts] },
  { tag: 'Downloads', about: 'Save an entry’s video and transcript to files.', in: [downloads] },
  { tag: 'Notes', about: 'What someone writes about an entry.', in: [notes] },
  { tag: 'Tags', about: 'Categories of entries, each with a color.', in: [tags] },
  { tag: 'Plans', about: 'Limits, usage, and payment.', in: [plans, billing] },
  { tag: 'Search', about: 'Find entries by what was said and written.', in: [search] },
  { tag: 'Deletion', about: 'Delete an account and everything in it.', in: [deletion] },
  { tag: 'Memories', about: 'What On This Day leaves out.', in: [memories] },
  {
    tag: 'Reminders',
    about: 'A daily email that asks you to record an entry, and a weekly one that quotes your entries.',
    in: [reminders],
  },
  { tag: 'Exports', about: 'A copy of the journal, to keep or to take elsewhere.', in: [exports] },
  { tag: 'API', about: 'This document.', in: [{ openApi }] },
] as const;

type Exported<Module> = Module extends unknown ? Module[keyof Module] : never;
type WithResponse = Operation & { response: z.ZodType };
type Declared = Extract<Exported<(typeof groups)[number]['in'][number]>, WithResponse>;

/** The operations that respond with JSON, by method and path: `Operations['POST /login']`. */
export type Operations = { [O in Declared as `${O['method']} ${O['path']}`]: O };

/** An operation with its contract's name and its group. */
export interface NamedOperation extends Operation {
  name: string;
  tag: string;
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
}

/** Every operation of the API, as the contracts declare them. */
export const operations: NamedOperation[] = groups.flatMap(({ tag, in: modules }) =>
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]: [string, unknown]) =>
      isOperation(value) ? [{ ...value, name, tag }] : [],
    ),
  ),
);
