import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { replaceFile, syncFolder } from '../durable-files';
import type { EmailRequest } from './validate';

/** A stored email; `createdAt` is ISO 8601. */
export type StoredEmail = EmailRequest & {
  id: string;
  createdAt: string;
  idempotency: { key: string; fingerprint: string } | null;
};

/** How long Resend remembers an idempotency key, in milliseconds. */
const idempotencyTtlMs = 24 * 60 * 60_000;

/** A link of the app's that only the account with the email's address gets. It has the account's id. */
const OWN_LINK = /\/(?:verify_email|reset|security_notice)\/([\w-]+)\//;

export type EmailStore = {
  /** Stores an email. A key that was used in the last 24 hours returns the email it stored then. */
  add(mail: EmailRequest, key: string | null): Promise<StoredEmail | 'different_body'>;
  get(id: string): StoredEmail | undefined;
  /** Newest first. */
  list(): StoredEmail[];
};

/**
 * Opens a folder of emails with one JSON file each. Emails are on disk before `add` resolves, so they survive `kill
 * -9`.
 */
export async function openEmailStore(
  directory: string,
  log?: (line: Record<string, unknown>) => void,
): Promise<EmailStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const mails: StoredEmail[] = [];
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.endsWith('.part')) {
      await rm(path, { force: true });
    } else if (name.endsWith('.json')) {
      try {
        mails.push(JSON.parse(await readFile(path, 'utf8')) as StoredEmail);
      } catch {
        log?.({ level: 'warn', event: 'mail_unreadable', file: name });
      }
    }
  }
  const order = ({ createdAt, id }: StoredEmail) => `${createdAt} ${id}`;
  mails.sort((a, b) => (order(a) < order(b) ? 1 : -1));
  const byId = new Map(mails.map((mail) => [mail.id, mail]));
  const byKey = new Map<string, { fingerprint: string; at: number; mail: Promise<StoredEmail> }>();
  for (const mail of mails.toReversed()) {
    if (!mail.idempotency) continue;
    const { key, fingerprint } = mail.idempotency;
    byKey.set(key, { fingerprint, at: Date.parse(mail.createdAt), mail: Promise.resolve(mail) });
  }

  /**
   * Deletes the emails to one of these addresses, and those with a link of the account that has it: they went to an
   * address that it had before, or never confirmed.
   */
  const forget = async (addresses: readonly string[]): Promise<void> => {
    const isTo = ({ to }: StoredEmail) => to.some((one) => addresses.includes(one));
    // The newest link: somebody else may have had the address before.
    const [account] = mails.flatMap((mail) =>
      isTo(mail) ? (OWN_LINK.exec(mail.text ?? '')?.[1] ?? []) : [],
    );
    const isOf = ({ text }: StoredEmail) => account !== undefined && text?.includes(`/${account}/`);
    const forgotten = mails.filter((mail) => isTo(mail) || isOf(mail));
    for (const mail of forgotten) {
      await rm(join(directory, `${mail.id}.json`), { force: true });
      byId.delete(mail.id);
      mails.splice(mails.indexOf(mail), 1);
      if (mail.idempotency) byKey.delete(mail.idempotency.key);
    }
    await syncFolder(directory);
  };

  const keep = async (mail: StoredEmail): Promise<StoredEmail> => {
    // Before it's stored, so that a kill in between leaves the sender to try again.
    if (mail.tags?.some(({ name, value }) => name === 'account' && value === 'erased')) await forget(mail.to);
    await replaceFile(directory, join(directory, `${mail.id}.json`), JSON.stringify(mail, null, 2));
    await syncFolder(directory);
    byId.set(mail.id, mail);
    // Writes may finish in a different order than they started.
    const place = mails.findIndex((other) => order(other) < order(mail));
    mails.splice(place < 0 ? mails.length : place, 0, mail);
    return mail;
  };

  return {
    get: (id) => byId.get(id),
    list: () => mails,
    add: async (request, key) => {
      const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
      // Nothing is awaited between reading and setting the key, so parallel requests store one email.
      const earlier = key === null ? undefined : byKey.get(key);
      if (earlier && Date.now() - earlier.at < idempotencyTtlMs) {
        return earlier.fingerprint === fingerprint ? earlier.mail : 'different_body';
      }
      const now = new Date();
      const kept = keep({
        ...request,
        id: uuidv7(),
        createdAt: now.toISOString(),
        idempotency: key === null ? null : { key, fingerprint },
      });
      if (key !== null) {
        byKey.set(key, { fingerprint, at: now.getTime(), mail: kept });
        kept.catch(() => byKey.delete(key));
      }
      return kept;
    },
  };
}
