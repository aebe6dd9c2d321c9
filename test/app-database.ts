import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { outbox } from '@/db/schema/outbox';
import type { Mail } from '@/lib/clients/mail-message';
import { decryptMail } from '@/lib/messaging/outbox/encrypted-mail';
import { createTestDatabase, type TestDatabase } from './database';

/** Every setting that's required, apart from the database. Nothing listens at their addresses. */
export const TEST_SETTINGS = {
  APP_URL: 'http://localhost:3000',
  AUTH_SECRET: 'a secret of the tests, 32 letters or more',
  S3_REGION: 'us-east-1',
  S3_BUCKET: 'test',
  S3_ACCESS_KEY_ID: 'test',
  S3_SECRET_ACCESS_KEY: 'test',
  INNGEST_EVENT_KEY: 'test',
  INNGEST_SIGNING_KEY: 'test',
  RESEND_API_KEY: 'test',
  MAIL_FROM: 'Daylight <hello@daylight.test>',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  SPEECH_BASE_URL: 'http://127.0.0.1:9',
  // What this machine allows, also where a test starts a program in production.
  FFMPEG_SANDBOX: 'auto',
};

/**
 * Points the app's own code at a fresh database. Call it in `beforeAll`, before anything reads the settings.
 * @param onQuery hears of every statement that the app sends
 * @param site the address of the site
 * @param settings further variables
 * @returns what takes it all down again
 */
export async function useFreshDatabase({
  onQuery,
  site = TEST_SETTINGS.APP_URL,
  settings = {},
}: {
  onQuery?: (query: string) => void;
  site?: string;
  settings?: Record<string, string>;
} = {}): Promise<() => Promise<void>> {
  const database: TestDatabase = await createTestDatabase();
  Object.assign(process.env, {
    ...TEST_SETTINGS,
    DATABASE_URL: database.url,
    APP_URL: site,
    ...settings,
  });
  if (onQuery) db().$client.options.debug = (_connection, query) => onQuery(query);
  return async () => {
    await db().$client.end();
    await database.drop();
  };
}

/** The mails that wait to be sent, oldest first. */
export async function queuedEmails(to?: string): Promise<Mail[]> {
  const rows = await db().select().from(outbox).orderBy(outbox.id);
  const mails = await Promise.all(
    rows.filter((row) => row.kind === 'mail').map(({ payload }) => decryptMail(payload)),
  );
  return to ? mails.filter((mail) => mail.to === to) : mails;
}

/** The two parts of the newest link to this page in the mails that wait for an address. */
export async function latestEmailLink(to: string, page: 'verify_email' | 'reset' | 'change_email') {
  const pattern = new RegExp(`http://localhost:3000/${page}/([^/\\s]+)/([^/\\s]+)/`);
  const found = (await queuedEmails(to))
    .map((mail) => pattern.exec(mail.text))
    .filter((match) => match !== null);
  const [, uid = '', token = ''] = found.at(-1) ?? [];
  return { uid, token };
}

/** Puts a verified account into the database and answers its id. */
export async function addUser(email: string, passwordHash = 'none'): Promise<string> {
  const id = crypto.randomUUID();
  await db().insert(users).values({
    id,
    email,
    passwordHash,
    firstName: 'Ada',
    lastName: 'Lovelace',
    gender: 'female',
    dateOfBirth: '1990-12-10',
    verifiedAt: new Date(),
  });
  return id;
}
