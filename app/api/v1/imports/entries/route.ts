import { endpoint } from '@/lib/api/endpoint';
import { importEntry } from '@/lib/imports/contract';
import * as imports from '@/lib/imports/service';

export const POST = endpoint(importEntry, ({ user, body }) => imports.importEntry(user.id, body));
