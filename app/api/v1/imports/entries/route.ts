import { endpoint } from '@/lib/api/endpoint';
import { importEntry } from '@/lib/portability/imports/archive/contract';
import * as imports from '@/lib/portability/imports/archive/service';

export const POST = endpoint(importEntry, ({ user, body }) => imports.importEntry(user.id, body));
