import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '@/local/up/processes';
import { openShell, type Shell } from './shell';

export type Suite = 'bookworm' | 'trixie';

/** What Debian's own images have that mmdebstrap's smallest leaves out. */
const PACKAGES = [
  ...['ca-certificates', 'dbus', 'iproute2', 'libpam-systemd', 'login', 'passwd', 'procps', 'systemd'],
  ...['systemd-sysv', 'tzdata'],
];
const START_MS = 90_000;

const run = (command: string, args: string[]) =>
  execFileSync(command, args, { stdio: 'pipe', encoding: 'utf8' });

/** Returns where this machine's own packages come from. */
function findPackageSource(): string {
  const folder = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))];
  const lines = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const [, source] = /^(?:deb |URIs:).*?(https?:\/\/(?!\S*security)\S+)/m.exec(lines.join('\n')) ?? [];
  if (!source) throw new Error('This machine has no source of Debian packages.');
  return source;
}

/** Makes the root folder of a new Debian, with a certificate that it trusts. */
export function makeRoot(root: string, suite: Suite, certificate: string): void {
  const source = `deb ${findPackageSource()} ${suite} main`;
  run('mmdebstrap', ['--quiet', '--variant=apt', `--include=${PACKAGES.join(',')}`, suite, root, source]);
  const trusted = join(root, 'usr/local/share/ca-certificates');
  // Downloads may come by way of a proxy that this machine trusts.
  cpSync('/usr/local/share/ca-certificates', trusted, { recursive: true });
  copyFileSync(certificate, join(trusted, 'lab.crt'));
  run('chroot', [root, 'update-ca-certificates']);
  // Node has certificates of its own.
  writeFileSync(join(root, 'etc/systemd/system.conf'), `[Manager]\nDefaultEnvironment=${TRUST}\n`);
  writeFileSync(join(root, 'etc/hostname'), 'journal\n');
}

/** Has Node trust what the system does. */
const TRUST = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt';

interface MachineOptions {
  root: string;
  /** A name for its network that no other has. */
  name: string;
  /** The third number of its addresses: this machine is 10.99.N.1, and the new one 10.99.N.2. */
  network: number;
  /** Names in its /etc/hosts, by address. */
  hosts: Record<string, string[]>;
  /** Folders of this machine that it can read, by their paths in there. */
  readable: Record<string, string>;
}

/** A Debian that runs, with systemd as process 1, in a network of its own. */
export interface Machine {
  root: string;
  /** Its address from here. */
  address: string;
  /** Opens a root shell that ends at the first error. */
  shell(): Shell;
  /** Runs a script as root. @returns its output. @throws Error with its output if it fails */
  run(script: string): Promise<string>;
  /** Ends it without notice, and starts it again. @returns how long it took to boot, in milliseconds */
  cutPower(): Promise<number>;
  stop(): Promise<void>;
}

/** Boots a Debian. Needs root, systemd-nspawn, and slirp4netns. */
export async function boot(options: MachineOptions): Promise<Machine> {
  const { root, name, network } = options;
  const address = `10.99.${network}.2`;
  const link = `lab${network}`;
  const hosts = Object.entries(options.hosts).map(([at, names]) => `${at} ${names.join(' ')}\n`);
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost journal\n::1 localhost\n${hosts.join('')}`);
  run('ip', ['netns', 'add', name]);
  run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
  run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'outside', 'netns', name]);
  run('ip', ['addr', 'add', `10.99.${network}.1/24`, 'dev', link]);
  run('ip', ['link', 'set', link, 'up']);
  run('ip', ['-n', name, 'addr', 'add', `${address}/24`, 'dev', 'outside']);
  run('ip', ['-n', name, 'link', 'set', 'outside', 'up']);
  const log = openSync(`${root}.log`, 'a');
  const internet = spawn(
    'slirp4netns',
    [
      '--configure',
      '--mtu=1500',
      '--disable-host-loopback',
      '--netns-type=path',
      `/run/netns/${name}`,
      'tap0',
    ],
    { stdio: ['ignore', log, log] },
  );
  let current = await start(options, log);
  const inside = (...command: string[]): [string, string[]] => [
    'nsenter',
    [
      ...['-t', String(current.init), '-m', '-u', '-i', '-n', '-p', '-r', '-w', '/usr/bin/env', '-i'],
      ...['HOME=/root', 'USER=root', 'TERM=dumb', TRUST],
      ...['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...command],
    ],
  ];
  const end = async () => {
    const ended = once(current.container, 'exit');
    process.kill(current.init, 'SIGKILL');
    current.container.kill('SIGKILL');
    await ended;
  };
  return {
    root,
    address,
    shell: () => openShell(inside('bash', '--noprofile', '--norc'), root),
    async run(script) {
      const [command, args] = inside('bash', '--norc', '-eu', '-o', 'pipefail', '-c', script);
      const { stdout, stderr } = await promisify(execFile)(command, args, { maxBuffer: 1e8 }).catch(
        (error) => {
          throw new Error(`${script}\nfailed: ${error.code}\n${error.stdout}${error.stderr}`);
        },
      );
      appendFileSync(`${root}.log`, `\n$ ${script}\n${stdout}${stderr}`);
      return stdout;
    },
    async cutPower() {
      await end();
      const began = performance.now();
      current = await start(options, log);
      return performance.now() - began;
    },
    async stop() {
      await end();
      internet.kill('SIGTERM');
      run('ip', ['netns', 'del', name]);
    },
  };
}

/** Starts systemd in a root folder, and waits until everything that starts at boot has. */
async function start(
  { root, name, readable }: MachineOptions,
  log: number,
): Promise<{ container: ChildProcess; init: number }> {
  const binds = Object.entries(readable).map(([from, to]) => `--bind-ro=${from}:${to}`);
  const container = spawn(
    'systemd-nspawn',
    [
      ...['-D', root, '-M', name, '--register=no', '--keep-unit', '--boot', '--console=pipe'],
      ...[`--network-namespace-path=/run/netns/${name}`, '--capability=CAP_NET_ADMIN', '--resolv-conf=off'],
      ...binds,
    ],
    { stdio: ['ignore', log, log], detached: true },
  );
  // Its first child only makes the second one, and ends.
  const findInit = () => {
    const path = `/proc/${container.pid}/task/${container.pid}/children`;
    return existsSync(path) ? Number(readFileSync(path, 'utf8').trim().split(' ')[0]) : 0;
  };
  // slirp4netns's own.
  writeFileSync(join(root, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n');
  const state = () => {
    const args = ['-t', String(findInit()), '-m', '-p', '-r', '-w', 'systemctl', 'is-system-running'];
    return promisify(execFile)('nsenter', args).then(
      ({ stdout }) => stdout.trim(),
      ({ stdout }) => String(stdout).trim(),
    );
  };
  // With a unit that failed, it's "degraded".
  const hasStarted = async () => ['running', 'degraded'].includes(await state());
  if (!(await waitUntil(hasStarted, START_MS, 200))) {
    const found = await state();
    process.kill(-(container.pid ?? 0), 'SIGKILL');
    throw new Error(`It doesn't start: ${found}. See ${root}.log.`);
  }
  return { container, init: findInit() };
}
