import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import type { App } from './running-app';

/** What no log line or span may look like, whoever wrote it. */
const FORBIDDEN = [
  ['an email address', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/],
  ['an encrypted token', /eyJ[\w-]{20,}/],
  ['a signed URL', /X-Amz-(?:Signature|Credential)/i],
  ['a query', /\/[\w/-]*\?\w+=/],
  ['a cookie or a key', /\b(?:session-token|Bearer|whsec_|sk_(?:test|live)_|signkey-)\S{8,}/],
] as const;

/** Too short a text may be a word of ours, too. */
const DISTINCT_CHARACTERS = 12;

/** Every text that people or machines wrote into the journals of a run. */
async function journalTexts(databaseUrl: string): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const rows = await sql<{ text: string }[]>`
      select distinct text from (
        select title as text from entries union all select file_name from entries
        union all select text from notes union all select name from tags union all select word from vocabulary
        union all select string_agg(word->>0, ' ') from transcripts, jsonb_array_elements(words) as word
          group by entry_id, revision
        union all select first_name || ' ' || last_name from users) as texts
      where length(text) >= ${DISTINCT_CHARACTERS} and text ~ '\\s'`;
    // Of a long one, its beginning: it would be cut somewhere.
    return rows.map(({ text }) => text.slice(0, 80));
  } finally {
    await sql.end();
  }
}

/** Returns what must not appear in a log or a span of this copy: its secrets, passwords, and every text. */
export async function listPrivateTexts(app: App): Promise<string[]> {
  const secrets = Object.values(app.secrets).filter((value) => value.length >= DISTINCT_CHARACTERS);
  return [...secrets, 'correct horse battery staple', ...(await journalTexts(app.addresses.database))];
}

/** Ids and times: most of what spans consist of, and never text. */
const IS_PLAIN = /^(?:[0-9a-f-]{16,36}|[\d.:TZ-]+)$/;

/** Adds the strings in a JSON value to a set. */
function addStrings(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (!IS_PLAIN.test(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      found.add(key);
      addStrings(inner, found);
    }
  }
}

/** Returns each distinct string in a file whose lines are JSON or text. */
async function distinctStrings(path: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    try {
      addStrings(JSON.parse(line), found);
    } catch {
      found.add(line);
    }
  }
  return found;
}

/** Returns what's private in a text, by what it is; null if nothing. */
function findPrivate(text: string, privateTexts: readonly string[]): string | null {
  const [kind] = FORBIDDEN.find(([, pattern]) => pattern.test(text)) ?? [];
  if (kind) return kind;
  return privateTexts.some((one) => text.includes(one)) ? 'a secret or a text of a journal' : null;
}

/**
 * Searches everything that a copy logged and exported for what's private.
 * @param exports the collector's file
 * @throws Error that names the findings, or says that there was nothing to search
 */
export async function assertNothingLeaked(
  { dataDir }: Pick<App, 'dataDir'>,
  exports: string,
  privateTexts: readonly string[],
): Promise<void> {
  const logs = ['app.log', 'workers.log'].map((name) => join(dataDir, 'logs', name)).filter(existsSync);
  const findings: string[] = [];
  for (const path of [...logs, exports]) {
    const strings = await distinctStrings(path);
    if (strings.size === 0) findings.push(`${path} is empty, so nothing was searched.`);
    for (const text of strings) {
      const kind = findPrivate(text, privateTexts);
      if (kind) findings.push(`${kind} in ${path}: ${text.slice(0, 300)}`);
    }
  }
  if (findings.length > 0) throw new Error(`Logs or spans of this run aren't clean:\n${findings.join('\n')}`);
}
