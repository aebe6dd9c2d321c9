import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Passed on to builds, which download packages: where this machine's certificates and registries are. */
export const DOWNLOADS = [
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'npm_config_registry',
];
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

const setenv = (env: Record<string, string | undefined>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : ['--setenv', name, value]));

/**
 * Runs a program as root in a root folder, with network, as an instruction of a Dockerfile. bubblewrap changes the root
 * as container engines do.
 */
export function runAsBuild(root: string, program: string[], cwd: string) {
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const args = [
    ...['--bind', root, '/', '--dev', '/dev', '--proc', '/proc', '--cap-add', 'ALL', '--unshare-pid'],
    ...[
      '--ro-bind',
      '/etc/resolv.conf',
      '/etc/resolv.conf',
      '--die-with-parent',
      '--clearenv',
      '--chdir',
      cwd,
    ],
    ...(certificates ? ['--ro-bind', certificates, certificates] : []),
    ...setenv({
      PATH,
      HOME: '/root',
      ...Object.fromEntries(DOWNLOADS.map((name) => [name, process.env[name]])),
    }),
    ...program,
  ];
  return spawnSync('bwrap', args, { encoding: 'utf8', maxBuffer: 1e9 });
}

interface Container {
  root: string;
  program: string[];
  cwd: string;
  env: Record<string, string>;
  /** `10001:10001` */
  user: string;
  /** The folder that's /tmp in it. */
  temporary: string;
}

/**
 * Starts a program as compose.yaml has containers: as its user without rights, with the root folder read-only, and as
 * process 1. After a change of the root, unlike after chroot, ffmpeg's sandbox may use namespaces.
 */
export function startContainer({ root, program, cwd, env, user, temporary }: Container) {
  const [uid, gid] = user.split(':');
  const dropped = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs'];
  const args = [
    ...['--ro-bind', root, '/', '--dev', '/dev', '--proc', '/proc', '--bind', temporary, '/tmp'],
    ...['--ro-bind', '/etc/hosts', '/etc/hosts'],
    ...[
      '--cap-drop',
      'ALL',
      '--cap-add',
      'CAP_SETUID',
      '--cap-add',
      'CAP_SETGID',
      '--cap-add',
      'CAP_SETPCAP',
    ],
    ...['--unshare-pid', '--as-pid-1', '--die-with-parent', '--clearenv', '--chdir', cwd, ...setenv(env)],
    ...[
      '/usr/bin/setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      ...dropped,
      '--',
      ...program,
    ],
  ];
  const child = spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    ended,
    output: () => output,
    /** Sends SIGTERM to its process 1, as `docker stop` does. @returns the exit code */
    stop: () => {
      const { pid } = child;
      const [inner] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      process.kill(Number(inner), 'SIGTERM');
      return ended;
    },
  };
}
