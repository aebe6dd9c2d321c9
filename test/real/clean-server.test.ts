import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '@/local/up/processes';
import { type FollowedGuide, openGuide, useLabCertificates, VALUES } from './clean-server/followed-guide';
import { readBlocks } from './clean-server/guide';
import {
  type Authority,
  type Internet,
  makeAuthority,
  STANDS_IN_FOR,
  startInternet,
} from './clean-server/internet';
import { boot, type Machine, makeRoot, type Suite } from './clean-server/machine';
import { makeRepository, type Repository } from './clean-server/repository';
import { ask, becomesHealthy, openBrowser, reaches, SITE, STORAGE, sendRequests } from './clean-server/site';
import { FIRST_PERSON, makeFirstAccount, playEntry, recordEntry } from './first-entry';

const { CLEAN_SERVER_DIR: dir = '' } = process.env;
const GUIDE = 'docs/deploy/vps.md';
const SUITES: Suite[] = ['bookworm', 'trixie'];
const MINUTES = 60_000;

/** What root reads and runs, or keeps. */
const ROOTS_OWN = '/backup /boot /etc /opt/daylight/source /root /usr /var/spool/cron';
const SERVICE_USERS = 'daylight daylight-build daylight-storage caddy redis postgres nobody';

interface Server {
  machine: Machine;
  guide: FollowedGuide;
}

describe.skipIf(!dir)('a clean server, by the guide', () => {
  const servers: Partial<Record<Suite, Server>> = {};
  let authority: Authority;
  let internet: Internet;
  let repository: Repository;
  const archives = [
    ...readFileSync(new URL(`../../${GUIDE}`, import.meta.url), 'utf8').matchAll(/download (https:\S+)/g),
  ]
    .map(([, address = '']) => address)
    .map((address) => {
      const version = address.split('/').pop() ?? '';
      return address.includes('inngest')
        ? `${address}/inngest_${version.slice(1)}_linux_amd64.tar.gz`
        : `${address}/versitygw_${version}_Linux_x86_64.tar.gz`;
    });
  const on = (suite: Suite): Server => {
    const server = servers[suite];
    if (!server) throw new Error(`There's no ${suite}.`);
    return server;
  };

  beforeAll(async () => {
    authority = makeAuthority(dir);
    repository = makeRepository(dir);
    const { CLEAN_SERVER_INNGEST: inngest = '', CLEAN_SERVER_VERSITYGW: versitygw = '' } = process.env;
    internet = await startInternet(dir, authority, { inngest, versitygw }, archives);
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
      servers[suite] = { machine, guide: openGuide(GUIDE, machine, VALUES) };
      await internet.listenAt(`10.99.${network}.1`);
    }
  }, 10 * MINUTES);
  afterAll(async () => {
    for (const [suite, { guide, machine }] of Object.entries(servers)) {
      console.log(
        suite,
        Object.fromEntries(Object.entries(guide.seconds).map(([step, s]) => [step, Math.round(s)])),
      );
      guide.shell.close();
      await machine.stop();
    }
    await internet.close();
  }, MINUTES);

  describe.each(SUITES)('%s', (suite) => {
    let code = '';

    it(
      'gets a firewall, packages, and programs, and refuses one that was changed on its way',
      async () => {
        const { guide } = on(suite);
        for (const heading of ['Your values', 'A firewall and packages']) await guide.follow(heading);
        await guide.follow('Node, Inngest, and storage', 0, 2);
        const install = guide.blocks('Node, Inngest, and storage')[2]?.text ?? '';
        const repair = internet.damage(archives[0] ?? '');
        const said = await guide.shell.run(`(set +e\n${install}) || true\nls /usr/local/bin\n`);
        repair();
        expect(said).toContain('FAILED');
        expect(said).not.toMatch(/^inngest$/m);
        expect(await guide.follow('Node, Inngest, and storage', 2)).toMatch(/^inngest_\S+: OK$/m);
      },
      15 * MINUTES,
    );

    it(
      'gets users, a database, settings, and services, and keeps the settings that it has',
      async () => {
        const { guide, machine } = on(suite);
        for (const heading of ['Users and folders', 'The database', 'Settings']) await guide.follow(heading);
        const [settings = { text: '' }] = guide.blocks('Settings');
        const sums = () => machine.run('sha256sum /etc/daylight/*.env');
        const before = await sums();
        expect(await guide.shell.run(`(set +e\n${settings.text}) || true`)).toMatch(
          /cannot overwrite existing file/,
        );
        expect(await sums()).toBe(before);
        await guide.follow('Services');
        await useLabCertificates(machine, authority, copyFileSync);
      },
      5 * MINUTES,
    );

    it(
      'builds the first release, and the doctor is content',
      async () => {
        const { guide } = on(suite);
        const said = await guide.follow('The first release');
        expect(said).not.toMatch(/✗/);
        const codes = [...said.matchAll(/\b\d{4} \d{4}\b/g)].map(([text]) => text);
        expect(codes.length).toBe(2);
        code = codes[1] ?? '';
        expect(internet.mails.at(-1)?.to).toEqual(['family@example.com']);
      },
      20 * MINUTES,
    );

    it(
      'records an entry in a browser, whose words can be found',
      async () => {
        const { address } = on(suite).machine;
        const { browser, context } = await openBrowser(address);
        const page = await context.newPage();
        const site = `https://${SITE}`;
        await makeFirstAccount(page, site, code);
        await recordEntry(page, site, `A day on ${suite}`, 16);
        await playEntry(page, `A day on ${suite}`);
        await page
          .getByRole('group', { name: 'Transcript words' })
          .getByText('leisure')
          .first()
          .waitFor({ timeout: 120_000 });
        await page.goto(`${site}/search?query=leisure`);
        await page.getByText(`A day on ${suite}`).first().waitFor();
        await browser.close();
      },
      10 * MINUTES,
    );

    it(
      'lets in nobody but those who want the site, storage, or a shell',
      async () => {
        const { address, run } = on(suite).machine;
        const listening = await run(`ss -Hltn | awk '{ print $4 }' | sed 's/.*://' | sort -un`);
        const ports = listening.trim().split('\n').map(Number);
        expect(ports).toEqual(expect.arrayContaining([80, 443, 3000, 5432, 6379, 7070, 8288, 8289]));
        const reached = [];
        for (const port of ports) if (await reaches(address, port)) reached.push(port);
        expect(reached).toEqual([80, 443]);
      },
      2 * MINUTES,
    );

    it(
      'has root run and read nothing that another user can write',
      async () => {
        const { run } = on(suite).machine;
        const found = await run(`
        for user in ${SERVICE_USERS}; do
          setpriv --reuid=$user --regid="$(id -g $user)" --init-groups \\
            find ${ROOTS_OWN} /opt /opt/daylight -maxdepth 1 ! -type l -writable -printf "$user %p\\n" 2> /dev/null || true
          setpriv --reuid=$user --regid="$(id -g $user)" --init-groups \\
            find ${ROOTS_OWN} ! -type l ! -type c -writable -printf "$user %p\\n" 2> /dev/null || true
        done`);
        const expected = [
          // Their own, which root doesn't run.
          /^postgres \/etc\/postgresql\//,
          /^redis \/etc\/redis/,
          /^caddy \/etc\/caddy\/authority\./,
        ];
        expect(
          found
            .trim()
            .split('\n')
            .filter((line) => line && !expected.some((one) => one.test(line))),
        ).toEqual([]);
        expect(await run('find /usr/local /opt/daylight/source /etc/systemd -uid +999 -o -nouser')).toBe('');
      },
      2 * MINUTES,
    );

    it(
      'saves everything, twice a day too, and tells the operator when it can’t',
      async () => {
        const { guide, machine } = on(suite);
        await guide.follow('Backups');
        await machine.run('systemctl start daylight-backup.service');
        const saved = (await machine.run('ls /backup')).trim().split('\n');
        expect(saved.filter((name) => /^\d{4}-\d{2}-\d{2}T\d{6}Z$/.test(name))).toHaveLength(2);
        const before = internet.mails.length;
        await machine.run(
          'systemctl stop versitygw; systemctl start daylight-backup.service || true; systemctl start versitygw',
        );
        expect(await waitUntil(() => internet.mails.length > before, MINUTES)).toBe(true);
        expect(internet.mails.at(-1)).toMatchObject({ to: [VALUES.operator] });
        expect(internet.mails.at(-1)?.raw).toMatch(/^Subject: .*daylight-backup/m);
      },
      5 * MINUTES,
    );

    it(
      'is back by itself after a power cut',
      async () => {
        const { machine, guide } = on(suite);
        guide.shell.close();
        const booted = await machine.cutPower();
        expect(await becomesHealthy(machine.address)).toBe(true);
        console.log(`${suite}: booted in ${Math.round(booted / 1000)} s`);
        on(suite).guide = openGuide(GUIDE, machine, VALUES);
        expect(await machine.run('systemctl --failed --no-legend')).toBe('');
      },
      8 * MINUTES,
    );

    it(
      'upgrades and goes back as two processes without losing a request, and refuses what fails',
      async () => {
        const { machine, guide } = on(suite);
        await guide.follow('Later');
        const first = (await machine.run('basename "$(readlink /opt/daylight/current)"')).trim();
        const next = repository.change('README.md', (text) => `${text}\n${suite}\n`);
        // What a build script that went bad would leave for root.
        await machine.run(
          `setpriv --reuid=daylight-build --regid=daylight-build --clear-groups ln -s /etc/daylight /opt/daylight/releases/${next}`,
        );
        const stop = sendRequests(machine.address);
        await machine.run('daylight-release main');
        expect(
          await machine.run('basename "$(readlink /opt/daylight/current)"; stat -c %U /etc/daylight'),
        ).toBe(`${next}\nroot\n`);
        await machine.run(`daylight-release ${first}`);
        repository.change('package.json', (text) => text.replace(/"build": ".*"/, '"build": "exit 7"'));
        await expect(machine.run('daylight-release main')).rejects.toThrow(/exit 7/);
        repository.change('package.json', () => readFileSync('package.json', 'utf8'));
        await expect(machine.run('daylight-release v9.9.9')).rejects.toThrow(
          /There’s no tag, branch, or commit .*v9\.9\.9/,
        );
        const { sent, failed } = await stop();
        console.log(`${suite}: ${sent} requests during releases, ${failed.length} failed`);
        expect(failed).toEqual([]);
        expect((await machine.run('basename "$(readlink /opt/daylight/current)"')).trim()).toBe(first);
        expect(await becomesHealthy(machine.address)).toBe(true);
      },
      20 * MINUTES,
    );

    it(
      'warns of a disk that’s almost full',
      async () => {
        const { machine } = on(suite);
        await machine.run(`
        mkdir /mnt/small; mount -t tmpfs -o size=40m tmpfs /mnt/small; head -c 38M /dev/zero > /mnt/small/full
        sed -i 's|^DISK_FOLDERS=.*|&,/mnt/small|' /etc/daylight/daylight.env
        systemctl restart 'daylight@*' daylight-worker`);
        expect(await machine.run('daylight doctor || true')).toMatch(/\/mnt\/small/);
        const warned = () =>
          internet.mails.some(({ to, raw }) => to.includes(VALUES.operator) && raw.includes('/mnt/small'));
        expect(await waitUntil(warned, 5 * MINUTES, 500)).toBe(true);
        await machine.run(`
        umount /mnt/small; sed -i 's|,/mnt/small||' /etc/daylight/daylight.env
        systemctl restart 'daylight@*' daylight-worker`);
      },
      8 * MINUTES,
    );

    it('has left out none of the guide’s commands', () => {
      const run = new Set([
        'Your values',
        'A firewall and packages',
        'Node, Inngest, and storage',
        'Users and folders',
        'The database',
        'Settings',
        'Services',
        'The first release',
        'Backups',
        'Later',
      ]);
      expect(readBlocks(GUIDE).filter(({ heading }) => !run.has(heading))).toEqual([]);
    });
  });

  it(
    'restores one server’s backup on the other',
    async () => {
      const [from, to] = [on('bookworm').machine, on('trixie').machine];
      await from.run('daylight-backup /backup');
      cpSync(join(from.root, 'backup'), join(to.root, 'srv/backup'), { recursive: true });
      const secret = (await from.run(`sed -n 's/^AUTH_SECRET=//p' /etc/daylight/daylight.env`)).trim();
      await expect(to.run('daylight-restore /srv/backup --yes')).rejects.toThrow(/AUTH_SECRET/);
      await to.run(`sed -i 's|^AUTH_SECRET=.*|AUTH_SECRET=${secret}|' /etc/daylight/daylight.env`);
      console.log(await to.run('daylight-restore /srv/backup --yes'));
      expect(await becomesHealthy(to.address)).toBe(true);
      for (let count = 0; count < 20; count++) expect(await ask(to.address, '/login')).toBe(200);
      const { browser, context } = await openBrowser(to.address);
      const page = await context.newPage();
      await page.goto(`https://${SITE}/login`);
      await page.getByLabel('Email').fill(FIRST_PERSON.email);
      await page.getByLabel('Password', { exact: true }).fill(FIRST_PERSON.password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/journals');
      await playEntry(page, 'A day on bookworm');
      await page.getByRole('group', { name: 'Transcript words' }).getByText('leisure').first().waitFor();
      await browser.close();
    },
    10 * MINUTES,
  );
});
