import * as accounts from '@/lib/accounts/contract';
import * as audit from '@/lib/audit/contract';
import * as billing from '@/lib/billing/contract';
import type { Operation } from '@/lib/contract/operation';
import * as entries from '@/lib/entries/contract';
import * as identities from '@/lib/identities/contract';
import * as memories from '@/lib/memories/contract';
import * as notes from '@/lib/notes/contract';
import * as passkeys from '@/lib/passkeys/contract';
import * as plans from '@/lib/plans/contract';
import * as previews from '@/lib/previews/contract';
import * as search from '@/lib/search/contract';
import * as security from '@/lib/security/contract';
import * as sessions from '@/lib/sessions/contract';
import * as settings from '@/lib/settings/contract';
import * as tags from '@/lib/tags/contract';
import * as transcripts from '@/lib/transcripts/contract';
import * as uploads from '@/lib/uploads/contract';
import { openApi } from './contract';

const modules = [
  accounts,
  sessions,
  security,
  passkeys,
  identities,
  audit,
  settings,
  entries,
  uploads,
  transcripts,
  notes,
  tags,
  plans,
  billing,
  previews,
  search,
  memories,
  { openApi },
];

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
}

/** Every operation of the API, as the contracts declare them. */
export const operations: Operation[] = modules.flatMap((module) => Object.values(module).filter(isOperation));
