import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { openDatabase } from '@/db/connect';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { localToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { MediaError } from '@/lib/video/media/errors';
import { loadSettings } from '@/scripts/load-settings';
import { makeDemoJournal } from './demo';
import { insertSampleJournals } from './journals';

/** What somebody signs in with to see the demo journal. */
const DEMO = { email: 'demo@daylight.local', password: 'demo-password', entries: 40 };

const HELP = `npm run db:seed -- [options]   fills the database of DATABASE_URL, or of the copy that runs in DATA_DIR

  --entries 3650        entries of the sample account, over ten years
  --words 1370          words of each
  --others 0            entries of other accounts, 3,650 each
  --other-words 140     words of each
  --email, --password   of the sample account (sample@daylight.local, sample-password)

npm run db:seed -- --demo      adds one journal of about 45 entries that play, with the settings of the site
                               (\`npm run up -- --demo\` does so with its own)

  --email, --password   of the demo account (${DEMO.email}, ${DEMO.password})`;

/** Returns DATABASE_URL, or the URL that `npm run up` saved. @throws Error if there's neither */
function databaseAddress(): string {
  const { DATABASE_URL, DATA_DIR = '.data' } = process.env;
  if (DATABASE_URL) return DATABASE_URL;
  try {
    const { database } = JSON.parse(readFileSync(path.join(DATA_DIR, 'local.json'), 'utf8')) as {
      database?: string;
    };
    if (database) return database;
  } catch {
    // The error below covers this.
  }
  throw new Error('No database: set DATABASE_URL, or start `npm run up` and set DATA_DIR as it was.');
}

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '3650' },
    words: { type: 'string', default: '1370' },
    others: { type: 'string', default: '0' },
    'other-words': { type: 'string', default: '140' },
    email: { type: 'string' },
    password: { type: 'string' },
    demo: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const OTHERS_EACH = 3650;

async function seedJournals(): Promise<void> {
  const began = performance.now();
  const sql = openDatabase(databaseAddress(), { max: 1, onnotice: () => undefined });
  const shared = { until: new Date().toISOString().slice(0, 10), years: 10 };
  const [entries, others] = [Number(values.entries), Number(values.others)];
  const { email = 'sample@daylight.local', password = 'sample-password' } = values;
  const owner = { id: uuidv7(), email, passwordHash: await hashPassword(password) };
  const strangers = Array.from({ length: Math.ceil(others / OTHERS_EACH) }, () => {
    const id = uuidv7();
    return { id, email: `${id}@daylight.invalid`, passwordHash: '' };
  });
  try {
    await insertSampleJournals(
      sql,
      { ...shared, users: entries > 0 ? [owner] : [], entries, words: Number(values.words) },
      {
        ...shared,
        users: strangers,
        entries: Math.min(OTHERS_EACH, others),
        words: Number(values['other-words']),
      },
    );
    // Only affects this session, which nothing else uses; VACUUM can't run in a transaction.
    await sql`set statement_timeout = 0`;
    await sql`vacuum analyze`;
  } finally {
    await sql.end();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`Made ${values.entries} entries of ${email} and ${values.others} of others in ${seconds} s.`);
}

/** Makes the demo journal, unless it's there already, and prints a line that starts with `demo:`. */
async function seedDemo(): Promise<void> {
  loadSettings();
  const { email, password } = { ...DEMO, ...values };
  try {
    const made = await makeDemoJournal({
      email,
      password,
      today: toIso(localToday()),
      entries: DEMO.entries,
    });
    console.log(`demo: log in as ${email}${made ? `, password ${password}` : ' (made earlier)'}`);
  } catch (error) {
    if (!(error instanceof MediaError) || error.kind !== 'no_ffmpeg') throw error;
    console.log('demo: not made, because it needs ffmpeg. Install it and start again.');
    process.exitCode = 1;
  }
}

if (values.help) {
  console.log(HELP);
} else if (values.demo) {
  await seedDemo();
  // Connections to the database and storage stay open.
  process.exit();
} else {
  await seedJournals();
}
