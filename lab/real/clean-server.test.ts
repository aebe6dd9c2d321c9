import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import { waitUntil } from '@/local/up/processes';
import { useLabCertificates, VALUES } from './clean-server/followed-guide';
import { type Lab, SUITES, startLab } from './clean-server/lab';
import { findForeign, findWritable } from './clean-server/ownership';
import { ask, becomesHealthy, openBrowser, reaches, SITE, sendRequests } from './clean-server/site';
import { FIRST_PERSON, makeFirstAccount, playEntry, recordEntry } from './first-entry';
import { readBlocks } from './guide-blocks';

const {
  CLEAN_SERVER_DIR: dir = '',
  CLEAN_SERVER_INNGEST: inngest = '',
  CLEAN_SERVER_VERSITYGW: versitygw = '',
} = process.env;
const MINUTES = 60_000;

describe.skipIf(!dir)('a clean server, by the guide', { timeout: 20 * MINUTES }, () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab(dir, { inngest, versitygw });
  }, 10 * MINUTES);
  afterAll(() => lab?.close(), MINUTES);

  describe.each(SUITES)('%s', (suite) => {
    let code = '';

    it('gets a firewall, packages, and programs, and refuses one that was changed on its way', async () => {
      const { guide } = lab.on(suite);
      for (const heading of ['Your values', 'A firewall and packages']) await guide.follow(heading);
      await guide.follow('Node, Inngest, and storage', 0, 2);
      const install = guide.blocks('Node, Inngest, and storage')[2]?.text ?? '';
      const repair = lab.internet.damage(lab.inngestArchive);
      const said = await guide.shell().run(`(set +e\n${install}) || true\nls /usr/local/bin\n`);
      repair();
      expect(said).toContain('FAILED');
      expect(said).not.toMatch(/^inngest$/m);
      expect(await guide.follow('Node, Inngest, and storage', 2)).toMatch(/^inngest_\S+: OK$/m);
    });

    it('gets users, a database, settings, and services, and keeps the settings that it has', async () => {
      const { guide, machine } = lab.on(suite);
      for (const heading of ['Users and folders', 'The database', 'Settings']) await guide.follow(heading);
      const [settings = { text: '' }] = guide.blocks('Settings');
      const sums = () => machine.run('sha256sum /etc/daylight/*.env');
      const before = await sums();
      expect(await guide.shell().run(`(set +e\n${settings.text}) || true`)).toMatch(
        /cannot overwrite existing file/,
      );
      expect(await sums()).toBe(before);
      await guide.follow('Services');
      // A unit whose program isn't there mustn't count as started.
      await expect(
        machine.run('mv /usr/local/bin/inngest /root/; systemctl restart inngest'),
      ).rejects.toThrow();
      await machine.run('mv /root/inngest /usr/local/bin/; systemctl restart inngest');
      await useLabCertificates(machine, lab.authority);
    });

    it('builds the first release, and the doctor is content', async () => {
      const { guide } = lab.on(suite);
      const said = await guide.follow('The first release');
      expect(said).not.toMatch(/✗/);
      const codes = [...said.matchAll(/\b\d{4} \d{4}\b/g)].map(([text]) => text);
      expect(codes.length).toBe(2);
      code = codes[1] ?? '';
      const isInvited = () => lab.internet.mails.some(({ to }) => to.includes('family@example.com'));
      expect(await waitUntil(isInvited, 5 * MINUTES, 500)).toBe(true);
    });

    it('records an entry in a browser, whose words can be found', async () => {
      const { address } = lab.on(suite).machine;
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
    });

    it('lets in nobody but those who want the site, storage, or a shell', async () => {
      const { address, run } = lab.on(suite).machine;
      const listening = await run(`ss -Hltn | awk '{ print $4 }' | sed 's/.*://' | sort -un`);
      const ports = listening.trim().split('\n').map(Number);
      expect(ports).toEqual(expect.arrayContaining([80, 443, 3000, 5432, 6379, 7070, 8288, 8289]));
      const reached = [];
      for (const port of ports) if (await reaches(address, port)) reached.push(port);
      expect(reached).toEqual([80, 443]);
    });

    it('has root run and read nothing that another user can write', async () => {
      const { machine } = lab.on(suite);
      expect(await findWritable(machine)).toEqual([]);
      expect(await findForeign(machine)).toBe('');
    });

    it('saves everything, twice a day too, and tells the operator when it can’t', async () => {
      const { guide, machine } = lab.on(suite);
      await guide.follow('Backups');
      await machine.run('systemctl start daylight-backup.service');
      const saved = (await machine.run('ls /backup')).trim().split('\n');
      expect(saved.filter((name) => /^\d{4}-\d{2}-\d{2}T\d{6}Z$/.test(name))).toHaveLength(2);
      const before = lab.internet.mails.length;
      // As if storage's key had been replaced there alone.
      await machine.run(`
        sed -i 's/^S3_SECRET_ACCESS_KEY=/&not-/' /etc/daylight/daylight.env
        systemctl start daylight-backup.service && exit 1
        sed -i 's/^S3_SECRET_ACCESS_KEY=not-/S3_SECRET_ACCESS_KEY=/' /etc/daylight/daylight.env`);
      expect(await waitUntil(() => lab.internet.mails.length > before, MINUTES)).toBe(true);
      expect(lab.internet.mails.at(-1)).toMatchObject({ to: [VALUES.operator] });
      expect(lab.internet.mails.at(-1)?.raw).toMatch(/^Subject: .*daylight-backup/m);
    });

    it('is back by itself after a power cut', async () => {
      const { machine, guide } = lab.on(suite);
      const booted = await machine.cutPower();
      expect(await becomesHealthy(machine.address)).toBe(true);
      console.log(`${suite}: booted in ${Math.round(booted / 1000)} s`);
      guide.reopen();
      expect(await machine.run('systemctl --failed --no-legend')).toBe('');
    });

    it('upgrades and goes back as two processes without losing a request, and refuses what fails', async () => {
      const { machine, guide } = lab.on(suite);
      await guide.follow('Later');
      const first = (await machine.run('basename "$(readlink /opt/daylight/current)"')).trim();
      const next = lab.repository.change('README.md', (text) => `${text}\n${suite}\n`);
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
      lab.repository.change('package.json', (text) => text.replace(/"build": ".*"/, '"build": "exit 7"'));
      await expect(machine.run('daylight-release main')).rejects.toThrow(/exit 7/);
      lab.repository.change('package.json', () => readFileSync(join(projectRoot, 'package.json'), 'utf8'));
      await expect(machine.run('daylight-release v9.9.9')).rejects.toThrow(
        /There's no tag, branch, or commit "v9\.9\.9/,
      );
      const { sent, failed } = await stop();
      console.log(`${suite}: ${sent} requests during releases, ${failed.length} failed`);
      expect(failed).toEqual([]);
      expect((await machine.run('basename "$(readlink /opt/daylight/current)"')).trim()).toBe(first);
      expect(await becomesHealthy(machine.address)).toBe(true);
    });

    it('takes other keys for everything, as operations.md says', async () => {
      const { machine, guide } = lab.on(suite);
      const keys = () => machine.run("grep -hE 'SECRET|KEY|DATABASE_URL' /etc/daylight/*.env");
      const before = await keys();
      guide.reopen();
      // The line that shows a log waits for nothing.
      await guide.shell().run('set +e');
      for (const { text } of readBlocks('docs/operations.md').filter(
        ({ heading }) => heading === 'Change settings and keys',
      )) {
        await guide.shell().run(text);
      }
      expect(await becomesHealthy(machine.address)).toBe(true);
      const kept = (await keys()).split('\n').filter((line) => line && before.includes(line));
      expect(kept.map((line) => line.split('=')[0])).toEqual(['S3_ACCESS_KEY_ID', 'ROOT_ACCESS_KEY']);
      await machine.run('daylight doctor; daylight-backup /backup');
    });

    it('warns of a disk that’s almost full', async () => {
      const { machine } = lab.on(suite);
      const before = lab.internet.mails.length;
      await machine.run(`
        mkdir /mnt/small; mount -t tmpfs -o size=40m tmpfs /mnt/small; head -c 38M /dev/zero > /mnt/small/full
        sed -i 's|^DISK_FOLDERS=.*|&,/mnt/small|' /etc/daylight/daylight.env
        systemctl restart 'daylight@*' daylight-worker`);
      expect(await machine.run('daylight doctor || true')).toMatch(/\/mnt\/small/);
      const warned = () =>
        lab.internet.mails
          .slice(before)
          .some(({ to, raw }) => to.includes(VALUES.operator) && raw.includes('/mnt/small'));
      expect(await waitUntil(warned, 5 * MINUTES, 500)).toBe(true);
      await machine.run(`
        umount /mnt/small; sed -i 's|,/mnt/small||' /etc/daylight/daylight.env
        systemctl restart 'daylight@*' daylight-worker`);
    });

    it('has left out none of the guide’s commands', () => {
      expect(lab.on(suite).guide.left()).toEqual([]);
    });
  });

  it.skipIf(SUITES.length < 2)('restores one server’s backup on the other', async () => {
    const [from, to] = [lab.on('bookworm').machine, lab.on('trixie').machine];
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
    await page.getByText('Total Entries: 1').waitFor();
    await page.goto(`https://${SITE}/journals`);
    await playEntry(page, 'A day on bookworm');
    await page.getByRole('group', { name: 'Transcript words' }).getByText('leisure').first().waitFor();
    await browser.close();
  });
});
