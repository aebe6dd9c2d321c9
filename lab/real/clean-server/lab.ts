import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { type FollowedGuide, openGuide, VALUES } from './followed-guide';
import { type Authority, type Internet, makeAuthority, STANDS_IN_FOR, startInternet } from './internet';
import { boot, type Machine, makeRoot, type Suite } from './machine';
import { makeRepository, type Repository } from './repository';
import { SITE, STORAGE } from './site';

const GUIDE = 'docs/deploy/vps.md';

/** Which Debians the guide is followed on: CLEAN_SERVER_SUITES, or both. */
export const SUITES = (process.env.CLEAN_SERVER_SUITES ?? 'bookworm,trixie').split(',') as Suite[];

interface Server {
  machine: Machine;
  guide: FollowedGuide;
}

/** Clean servers that run, and what they reach outside. */
export interface Lab {
  authority: Authority;
  internet: Internet;
  repository: Repository;
  /** The archive of Inngest that the guide downloads. */
  inngestArchive: string;
  on(suite: Suite): Server;
  close(): Promise<void>;
}

/** Returns the addresses of the archives that the guide downloads from GitHub. */
function findArchives(): { inngest: string; versitygw: string } {
  const guide = readFileSync(join(projectRoot, GUIDE), 'utf8');
  const release = (name: string) => {
    const [address = '', version = ''] =
      new RegExp(`https://github\\S+/${name}/releases/download/v([\\d.]+)`).exec(guide) ?? [];
    return { address, version };
  };
  const [inngest, versitygw] = [release('inngest'), release('versitygw')];
  return {
    inngest: `${inngest.address}/inngest_${inngest.version}_linux_amd64.tar.gz`,
    versitygw: `${versitygw.address}/versitygw_v${versitygw.version}_Linux_x86_64.tar.gz`,
  };
}

/** Boots a clean server of each Debian. Needs root. */
export async function startLab(dir: string, programs: Record<string, string>): Promise<Lab> {
  const authority = makeAuthority(dir);
  const repository = makeRepository(dir);
  const archives = findArchives();
  const internet = await startInternet(dir, authority, programs, Object.values(archives));
  const servers = new Map<Suite, Server>();
  for (const [index, suite] of SUITES.entries()) {
    const network = index + 1;
    const root = join(dir, suite);
    makeRoot(root, suite, authority.cert);
    const machine = await boot({
      root,
      name: `daylight-${suite}`,
      network,
      hosts: { [`10.99.${network}.1`]: STANDS_IN_FOR, [`10.99.${network}.2`]: [SITE, STORAGE] },
      readable: { [repository.path]: VALUES.repository },
    });
    servers.set(suite, { machine, guide: openGuide(GUIDE, machine, VALUES) });
    await internet.listenAt(`10.99.${network}.1`);
  }
  return {
    authority,
    internet,
    repository,
    inngestArchive: archives.inngest,
    on(suite) {
      const server = servers.get(suite);
      if (!server) throw new Error(`There's no ${suite}.`);
      return server;
    },
    async close() {
      for (const [suite, { guide, machine }] of servers) {
        const times = Object.entries(guide.seconds).map(
          ([heading, taken]) => `${heading} ${Math.round(taken)} s`,
        );
        console.log(`${suite}: ${times.join(', ')}`);
        guide.shell().close();
        await machine.stop();
      }
      await internet.close();
    },
  };
}
