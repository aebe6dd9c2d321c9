import { connect, createServer, type Socket } from 'node:net';
import postgres from 'postgres';
import { type Account, seedAccount } from '@/e2e/accounts';
import { uploadVideo, waitForProcessing } from '@/e2e/client';
import { insertTranscript } from '@/e2e/journeys/entry-steps';
import { type Mailbox, openMailbox } from '@/e2e/mailbox';
import { newDataDir, removeDataDir, startRunningApp } from '@/e2e/running-app';
import type { Entry } from '@/lib/journal/entries/contract';
import { freePort } from '@/local/up/ports';
import { h264Mov, h264Mp4, hevcMp4, noAudioMp4, rotatedMp4, vp9Webm } from '@/test/media/clips';

/** A copy of Daylight for one run, behind a switch that stands for the network. */
export interface Site {
  url: string;
  mailbox: Mailbox;
  sql: postgres.Sql;
  setOffline(offline: boolean): void;
  stop(): Promise<void>;
}

/** Passes connections on to a port until it's switched off. Browsers take its connections as a network that's gone. */
async function startSwitch(port: number, target: number) {
  const open = new Set<Socket>();
  let offline = false;
  const server = createServer((client) => {
    if (offline) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy()).on('close', () => open.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    setOffline(value: boolean) {
      offline = value;
      if (offline) cut();
    },
    stop() {
      server.close();
      cut();
    },
  };
}

/** Starts a copy of the site with data of its own. */
export async function startSite(): Promise<Site> {
  const dataDir = newDataDir();
  const inner = await freePort();
  const outer = await freePort([inner]);
  const network = await startSwitch(outer, inner);
  const app = await startRunningApp(dataDir, { PORT: String(inner), APP_URL: `http://localhost:${outer}` });
  const sql = postgres(app.addresses.database, { max: 2, onnotice: () => undefined });
  return {
    url: app.url,
    mailbox: openMailbox(app),
    sql,
    setOffline: network.setOffline,
    async stop() {
      await sql.end();
      await app.stop();
      network.stop();
      removeDataDir(dataDir);
    },
  };
}

/** What the videos were before they were processed. */
const SOURCES = [
  ['An MP4', h264Mp4, 'video/mp4'],
  ['A WebM', vp9Webm, 'video/webm'],
  ['An HEVC video', hevcMp4, 'video/mp4'],
  ['A phone held upright', rotatedMp4, 'video/mp4'],
  ['A QuickTime movie', h264Mov, 'video/quicktime'],
  ['A silent video', noAudioMp4, 'video/mp4'],
] as const;

/** Makes a verified account with six entries that play, the first of which has a transcript. */
export async function makeJournal(site: Site): Promise<{ account: Account; entries: Entry[] }> {
  const account = await seedAccount(site.url, site.sql);
  const ids: string[] = [];
  for (const [title, clip, contentType] of SOURCES)
    ids.push(await uploadVideo(account.api, await clip(), { title, contentType }));
  const entries: Entry[] = [];
  for (const [index, id] of ids.entries())
    entries.push(await waitForProcessing(account.api, id, index === 0 ? 'transcript' : 'video'));
  await insertTranscript(site.sql, ids[0] ?? '');
  return { account, entries };
}
