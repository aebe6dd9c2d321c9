import {
  chownSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloneSource, installServer, type Server } from './server-scripts';

const SECRET = 'a-secret-of-roots-shell';
const NOBODY = 65534;
let server: Server;
let repository: ReturnType<typeof cloneSource>;

describe.runIf(process.platform === 'linux')('daylight-release', () => {
  beforeEach(async () => {
    server = await installServer();
    repository = cloneSource(server);
    server.program(
      'npm',
      `{ echo "npm $* as $RUN_AS"; env | sort; if [ -L .env ]; then echo 'sees .env'; fi; } | paste -sd '|' >> "$log"`,
    );
  });
  afterEach(() => server.remove());

  const release = (version = 'main') =>
    server.run('daylight-release', [version], {
      NPM_TOKEN: SECRET,
      https_proxy: 'http://proxy.example.com:3128',
    });
  const current = () => readlinkSync(join(server.root, 'opt/daylight/current'));
  const calls = () => server.takeLog().filter((line) => line.startsWith('npm '));

  it('gives other people’s code no settings, no secrets, no install scripts, and a user of its own', async () => {
    expect(await release()).toMatchObject({ code: 0 });
    const called = calls();
    expect(called.map((call) => call.split('|')[0])).toEqual([
      'npm ci --ignore-scripts --no-audit --no-fund as daylight-build',
      'npm run --if-present postinstall as daylight-build',
      'npm run build as daylight-build',
      'npm run db:migrate as daylight',
    ]);
    expect(called.filter((call) => call.includes('sees .env'))).toEqual([called[3]]);
    expect(called.filter((call) => call.includes(SECRET))).toEqual([]);
    for (const call of called.slice(0, 3)) {
      expect(call).toContain('https_proxy=http://proxy.example.com:3128');
      // Others can't put anything where programs look for their caches.
      expect(call).toContain(`HOME=${server.root}/var/lib/daylight-build|`);
      expect(call).toContain(`TMPDIR=${server.root}/var/lib/daylight-build/tmp`);
    }
  });

  it('doesn’t build a commit again that was built before', async () => {
    await release();
    calls();
    await release();
    expect(calls().map((call) => call.split('|')[0])).toEqual(['npm run db:migrate as daylight']);
  });

  it('names a version that doesn’t exist', async () => {
    expect(await release('v9')).toEqual({
      code: 1,
      stdout: '',
      stderr: `There's no tag, branch, or commit "v9" in ${server.root}/opt/daylight/source.\n`,
    });
  });

  it.each(['build', 'db:migrate'])('leaves what runs as it is if %s fails', async (step) => {
    await release();
    const before = current();
    writeFileSync(join(repository.origin, 'package.json'), '{"name":"next"}');
    repository.commit();
    server.program('npm', `case $* in *${step}) exit 7 ;; esac`);
    server.program('systemctl', 'echo "systemctl $*" >> "$log"');
    server.takeLog();
    expect(await release()).toMatchObject({ code: 7 });
    expect(current()).toBe(before);
    expect(server.takeLog()).toEqual([]);
  });

  it('says how to install units and scripts that changed, from root’s own clone', async () => {
    expect((await release()).stdout).toMatch(/Daylight main runs\.\n$/);
    writeFileSync(join(repository.origin, 'deploy/daylight-worker.service'), '[Service]\n');
    const commit = repository.commit();
    const source = `${server.root}/opt/daylight/source`;
    expect((await release()).stdout).toContain(
      `git -C ${source} checkout --quiet ${commit} && sh ${source}/deploy/install.sh\n`,
    );
  });

  describe.runIf(process.getuid?.() === 0)('with what a build left behind', () => {
    let releases: string;
    let victim: string;

    /** The build's user has rights of its own, and the victim is a folder of root's. */
    beforeEach(() => {
      server.program(
        'runuser',
        `while [ "$1" != -- ]; do if [ "$1" = --user ]; then user=$2; fi; shift; done; shift
        if [ "$user" = daylight-build ]; then
          exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups "$@"
        fi
        exec "$@"`,
      );
      releases = join(server.root, 'opt/daylight/releases');
      const home = join(server.root, 'var/lib/daylight-build');
      mkdirSync(home, { recursive: true });
      for (const path of [releases, home]) chownSync(path, NOBODY, NOBODY);
      victim = join(server.root, 'victim');
      for (const file of ['.built', 'settings']) {
        server.write(`victim/${file}`, '');
        utimesSync(join(victim, file), 1, 1);
      }
    });
    const expectUnharmed = () => {
      expect(readdirSync(victim).sort()).toEqual(['.built', 'settings']);
      const { uid, mtimeMs } = statSync(join(victim, '.built'));
      expect({ uid, mtimeMs, folder: statSync(victim).uid }).toEqual({ uid: 0, mtimeMs: 1000, folder: 0 });
    };

    it('follows no link in place of a release', async () => {
      symlinkSync(victim, join(releases, repository.head()));
      await release();
      expectUnharmed();
    });

    it('removes nothing that names or links of old releases lead to', async () => {
      for (const name of ['1', '2', '3', '4']) symlinkSync(victim, join(releases, name));
      // Read by line, its second one is the victim's path from where root is.
      mkdirSync(join(releases, 'a\nvictim'));
      writeFileSync(join(releases, 'a\nvictim/.built'), '');
      utimesSync(join(releases, 'a\nvictim/.built'), 0, 0);
      expect(await release()).toMatchObject({ code: 0 });
      expectUnharmed();
    });
  });
});
