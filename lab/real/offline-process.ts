import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { signUp } from '@/e2e/accounts';
import { uploadVideo, waitForProcessing } from '@/e2e/client';
import { openMailbox } from '@/e2e/mailbox';
import { waitUntil } from '@/local/up/processes';

// Runs in a copy of the project, where there's no network: starts Daylight with README's first command, signs up, uploads
// the given video, and writes to standard output what came of it.

/** What came of using Daylight without a network. */
export interface OfflineVisit {
  /** Node's version. */
  node: string;
  user: number;
  /** The names of the network's interfaces. */
  interfaces: string[];
  /** What `npm run up` printed. */
  output: string;
  /** The status of the health check. */
  health: number;
  videoStatus: string;
  transcription: string;
  words: string;
  /** The lines of the server's log that are errors. */
  errors: string[];
}

/** The first start builds the site. Milliseconds. */
const READY_TIMEOUT_MS = 900_000;

const [clip = ''] = process.argv.slice(2);
const { DATA_DIR: dataDir = '' } = process.env;
// A group of processes, as in a terminal, where Ctrl-C reaches all of them.
const up = spawn('npm', ['run', 'up'], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
const ended = once(up, 'exit');
let output = '';
for (const stream of [up.stdout, up.stderr]) {
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
}

async function visit(): Promise<OfflineVisit> {
  const isReady = () => output.includes('\nReady on ');
  await waitUntil(() => up.exitCode !== null || isReady(), READY_TIMEOUT_MS, 250);
  if (!isReady()) throw new Error(`It isn't ready:\n${output}`);
  const read = (name: string) => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const addresses = read('local.json');
  const { api } = await signUp(addresses.app, openMailbox({ addresses, secrets: read('secrets.json') }));
  const entry = await waitForProcessing(api, await uploadVideo(api, clip), 'transcript');
  return {
    node: process.version,
    user: process.getuid?.() ?? 0,
    interfaces: Object.keys(networkInterfaces()),
    output,
    health: (await fetch(`${addresses.app}/api/health`)).status,
    videoStatus: entry.videoStatus,
    transcription: entry.transcription.status,
    words: entry.transcription.words.map(({ word }) => word).join(' '),
    errors: readFileSync(join(dataDir, 'logs', 'app.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"level":50')),
  };
}

try {
  console.log(JSON.stringify(await visit()));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  if (up.pid && up.exitCode === null) process.kill(-up.pid, 'SIGINT');
  await ended;
}
