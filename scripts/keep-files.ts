/**
 * Keeps the scripts and styles of earlier builds beside those of this one, so that pages that were opened before a
 * release can load the rest of their code. Names contain a hash of the content, so nothing is ever replaced. Run by
 * `npm run build`, after Next.
 */
import { cp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a file stays after the last build that had it, in milliseconds: 14 days. */
const MAX_AGE = 14 * 24 * 60 * 60 * 1000;

const [, , folder = '.next'] = process.argv;
const current = join(folder, 'static');
/** The only folder that Next's next build leaves alone. */
const kept = join(folder, 'cache', 'static');

/** Removes files that no build of the last 14 days had. */
async function removeOld(): Promise<void> {
  // As paths: the entries of Node 20.9 don't say which folder they're in.
  for (const name of await readdir(kept, { recursive: true }).catch(() => [])) {
    const path = join(kept, name);
    const file = await stat(path);
    if (file.isFile() && Date.now() - file.mtimeMs > MAX_AGE) await rm(path);
  }
}

await removeOld();
// The build's own files are new, so this also renews how long the ones it shares with earlier builds stay.
await cp(current, kept, { recursive: true, preserveTimestamps: true });
await cp(kept, current, { recursive: true, preserveTimestamps: true, force: false });
