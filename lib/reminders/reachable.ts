import { sql } from 'drizzle-orm';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';

/**
 * Whether an account gets emails that it asked for: it's verified, not turned off, and not going to be deleted. For
 * statements that join `users` and, from the left, `account_deletions`.
 */
export const isReachable = sql<boolean>`${users.verifiedAt} is not null and ${users.disabledAt} is null and ${accountDeletions.userId} is null`;
