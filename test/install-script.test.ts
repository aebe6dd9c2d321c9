import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installServer, type Server } from './server-scripts';

let server: Server;

describe.runIf(process.platform === 'linux')('deploy/install.sh', () => {
  beforeEach(async () => {
    server = await installServer();
    server.program('systemctl', 'echo "systemctl $*" >> "$log"');
  });
  afterEach(() => server.remove());

  const install = () =>
    execFileSync('sh', [join(server.root, 'opt/daylight/source/deploy/install.sh')], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: {
        ...process.env,
        DAYLIGHT_ROOT: server.root,
        PATH: `${server.root}/stand-ins:${process.env.PATH}`,
      },
    });

  it('installs scripts that run and units that don’t, and nothing twice', () => {
    const mode = (path: string) => (statSync(join(server.root, path)).mode & 0o777).toString(8);
    for (const script of ['', '-release', '-backup', '-restore', '-alert']) {
      expect(mode(`usr/local/sbin/daylight${script}`)).toBe('755');
    }
    expect(mode('etc/systemd/system/daylight@.service')).toBe('644');
    expect(install()).toBe('The units and scripts are up to date.\n');
    expect(server.takeLog()).toEqual([]);
  });

  it('replaces a file as a whole, so that a script that runs goes on as it is', () => {
    const running = openSync(join(server.root, 'usr/local/sbin/daylight-release'), 'r');
    const before = server.read('opt/daylight/source/deploy/release.sh');
    server.write('opt/daylight/source/deploy/release.sh', '#!/bin/sh\n');
    expect(install()).toBe('Installed: release.sh\n');
    expect(readFileSync(running, 'utf8')).toBe(before);
    closeSync(running);
    expect(server.read('usr/local/sbin/daylight-release')).toBe('#!/bin/sh\n');
    expect(server.takeLog()).toEqual(['systemctl daemon-reload']);
  });

  it.runIf(process.getuid?.() === 0)('installs nothing from a folder that others can write to', () => {
    server.write('opt/daylight/source/deploy/release.sh', '#!/bin/sh\n');
    chownSync(join(server.root, 'opt/daylight/source/deploy'), 65534, 65534);
    expect(install).toThrow("This folder isn't root's");
    expect(server.read('usr/local/sbin/daylight-release')).not.toBe('#!/bin/sh\n');
  });
});

describe.runIf(process.platform === 'linux')('daylight', () => {
  beforeEach(async () => {
    server = await installServer();
    const release = join(server.root, 'opt/daylight/releases/1');
    mkdirSync(release);
    symlinkSync(release, join(server.root, 'opt/daylight/current'));
    server.program('node', 'echo "node $* as $RUN_AS in $(pwd -P)"; env | sort; cat');
  });
  afterEach(() => server.remove());

  it.each([[], ['worker'], ['../doctor']])('explains itself when it’s run as %j', async (...args) => {
    const { code, stdout, stderr } = await server.run('daylight', args.flat());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^daylight doctor /);
  });

  it('runs a program in the release, without the rest of root’s environment', async () => {
    const { stdout } = await server.run('daylight', ['users', 'invite', 'ada@example.com'], {
      SECRET: 'of-roots-shell',
      HTTPS_PROXY: 'http://proxy.example.com:3128',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
      LANG: 'de_DE.UTF-8',
      TERM: 'xterm',
    });
    const [command, ...environment] = stdout.trim().split('\n');
    expect(command).toBe(
      `node scripts/run.mjs users invite ada@example.com as daylight in ${server.root}/opt/daylight/releases/1`,
    );
    const names = environment.map((line) => line.split('=')[0]);
    expect(names).toEqual(
      'HOME HTTPS_PROXY LANG NODE_ENV NODE_EXTRA_CA_CERTS PATH PWD RUN_AS TERM TMPDIR'.split(' '),
    );
    expect(environment).toContain('TMPDIR=/var/tmp');
    expect(environment).toContain(`HOME=${server.root}/var/lib/daylight`);
  });

  it('says so while there’s no release', async () => {
    execFileSync('rm', [join(server.root, 'opt/daylight/current')]);
    expect(await server.run('daylight', ['doctor'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('daylight-release main'),
    });
  });

  /** Runs a command line in a terminal, where somebody types. @returns what the terminal shows */
  const inTerminal = (line: string) =>
    execFileSync('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
      encoding: 'utf8',
      input: 'typed\ntyped\n',
      env: {
        ...process.env,
        DAYLIGHT_ROOT: server.root,
        PATH: `${server.root}/stand-ins:${server.root}/usr/local/sbin:${process.env.PATH}`,
      },
    });

  it.each([
    ['its input', 'echo text | daylight alert Subject'],
    ['its output', 'daylight doctor > /dev/null'],
    ['everything', 'daylight doctor < /dev/null > /dev/null 2> /dev/null'],
  ])('keeps root’s terminal out of reach when %s is elsewhere', (_, line) => {
    server.program(
      'node',
      `if (: < /dev/tty) 2> /dev/null; then echo 'opened the terminal' >> "$log"; fi
      for fd in 0 1 2; do
        if [ -t $fd ] && (read -r typed <&$fd) 2> /dev/null; then echo "read from $fd" >> "$log"; fi
      done
      echo ran >> "$log"`,
    );
    inTerminal(line);
    expect(server.takeLog()).toEqual(['ran']);
  });

  it('gets a terminal of its own in a terminal', () => {
    server.program('runuser', 'echo "runuser $1 $2 $3" >> "$log"');
    inTerminal('daylight users disable ada@example.com');
    expect(server.takeLog()).toEqual(['runuser --pty --user daylight']);
  });

  it('emails the end of the log of a unit that failed', async () => {
    server.program('journalctl', 'echo "journalctl $*"');
    const { stdout } = await server.run('daylight-alert', ['daylight-backup.service']);
    expect(stdout).toMatch(/^node scripts\/run.mjs alert daylight-backup.service failed as daylight/);
    expect(stdout).toMatch(/journalctl --unit daylight-backup.service --lines 20 /);
  });
});
