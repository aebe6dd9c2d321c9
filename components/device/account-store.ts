import { loadCode } from '@/components/ui/load-code';

/** What to ask before logging out deletes or leaves behind what only this browser has. */
interface LogoutQuestion {
  /** What there is, and what logging out does to it. */
  lead: string;
  /** The label of the button that logs out. */
  confirm: string;
  /** The link to where it can be finished. */
  stay?: { label: string; href: string };
  /** The label of a button that also deletes what would otherwise stay. */
  deleteAll?: string;
}

/** What one feature stores of accounts in this browser. */
export interface AccountData {
  /** Describes what only this browser has of an account; null if that's nothing. Missing if nobody has to be asked. */
  describe?(account: string): Promise<LogoutQuestion | null>;
  /**
   * Deletes what's here of an account that logs out, and of no other.
   * @param all whether to delete even what would otherwise stay until the account is back
   */
  delete(account: string, all: boolean): Promise<void>;
}

/** How a feature registers what it stores, in components/account/sign-in/account-stores.ts. */
export interface AccountStore {
  name: string;
  /** Returns whether there may be something of an account, without loading code or opening a database. */
  mayHaveData(account: string): boolean;
  /** Returns the account that everything here belongs to, for stores that have one account's at a time. */
  owner?(): string | null;
  /** Opens the database, which detects what the browser has evicted from it. Missing if evictions aren't detected. */
  open?(): Promise<unknown>;
  load(): Promise<AccountData>;
}

/** A question with what it's about, such as the name of a store. */
export interface NamedQuestion extends LogoutQuestion {
  about: string;
}

/**
 * Returns what to ask an account before it logs out; null if nothing is left to ask. A store that can't be read has nothing
 * to ask about.
 * @param asked what was asked about already
 */
export async function findLogoutQuestion(
  stores: readonly AccountStore[],
  account: string,
  asked: readonly string[],
): Promise<NamedQuestion | null> {
  for (const { name, mayHaveData, load } of stores) {
    if (asked.includes(name) || !mayHaveData(account)) continue;
    try {
      const question = await (await loadCode(load)).describe?.(account);
      if (question) return { ...question, about: name };
    } catch {
      // The network or the database failed, and logging out matters more.
    }
  }
  return null;
}

/**
 * Deletes what's in this browser of an account that logs out, one store after the other. Never rejects: what can't be
 * deleted stays, and other accounts don't see it.
 * @param account null if its session is over already; then stores that have one account's at a time delete that
 * @param all whether to delete even what would otherwise stay until the account is back
 */
export async function deleteAccountData(
  stores: readonly AccountStore[],
  account: string | null,
  all: boolean,
): Promise<void> {
  for (const { mayHaveData, owner, load } of stores) {
    const leaving = account ?? owner?.() ?? null;
    if (leaving === null || !mayHaveData(leaving)) continue;
    try {
      await (await loadCode(load)).delete(leaving, all);
    } catch {
      // The network or the database failed, and logging out matters more.
    }
  }
}

/** Opens the databases from which evictions are detected. Never rejects. */
export async function detectEvictions(stores: readonly AccountStore[]): Promise<void> {
  await Promise.allSettled(stores.map(({ open }) => open && loadCode(open)));
}
