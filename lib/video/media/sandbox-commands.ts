import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { findLinuxTool } from './executables';

/** What a sandboxed program can see in addition to the system's programs and libraries. */
export interface SandboxView {
  /** The job's private folder (0700), which is its working directory and the only place it can write to. */
  folder: string;
  /** Files and folders it can read, at their usual paths. Missing ones are skipped. */
  readable: string[];
}

/**
 * User and group of sandboxed programs. No distribution assigns 65520 to 65533
 * (https://systemd.io/UIDS-GIDS), so no other service runs as this user.
 */
export const SANDBOX_ID = 65530;

/**
 * Programs and libraries only. Not all of /usr, because many container images keep an app in `/usr/src/app`,
 * including settings and secrets. Debian resolves some of ffmpeg's libraries through /etc/alternatives.
 */
const SYSTEM = [
  ...['/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/local/lib'],
  ...['/bin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache', '/nix/store'],
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom'];

type Mount =
  | { kind: 'symlink'; path: string; target: string }
  | { kind: 'read-only' | 'writable' | 'device'; path: string };

/** Returns the visible paths in the order to mount them, since the input may be inside the writable folder. */
function mountsOf(program: string, { folder, readable }: SandboxView): Mount[] {
  const system = SYSTEM.filter((path) => existsSync(/*turbopackIgnore: true*/ path)).map((path): Mount => {
    const isLink = lstatSync(/*turbopackIgnore: true*/ path).isSymbolicLink();
    return isLink
      ? { kind: 'symlink', path, target: readlinkSync(/*turbopackIgnore: true*/ path) }
      : { kind: 'read-only', path };
  });
  const isVisible = (path: string) => [...SYSTEM, folder].some((place) => path.startsWith(`${place}/`));
  return [
    ...system,
    ...DEVICES.filter((path) => existsSync(/*turbopackIgnore: true*/ path)).map(
      (path): Mount => ({ kind: 'device', path }),
    ),
    { kind: 'writable', path: folder },
    ...(isVisible(program) ? [] : [program, `${dirname(dirname(program))}/lib`])
      .concat(readable)
      .filter((path) => isAbsolute(path) && existsSync(/*turbopackIgnore: true*/ path))
      .map((path): Mount => ({ kind: 'read-only', path })),
  ];
}

/** Returns every folder above the paths, outermost first. */
function foldersAbove(paths: string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/').slice(1, -1);
    for (const [index] of parts.entries()) found.add(`/${parts.slice(0, index + 1).join('/')}`);
  }
  return [...found];
}

/** Resolves symlinks such as /etc/alternatives, which would point at something that isn't in the sandbox. */
function resolveProgram([program = '', ...args]: string[]): [string, ...string[]] {
  return [
    existsSync(/*turbopackIgnore: true*/ program) ? realpathSync(/*turbopackIgnore: true*/ program) : program,
    ...args,
  ];
}

/** Returns the path of a util-linux tool, bubblewrap, or the shell. @throws Error if it isn't installed */
function linuxTool(name: 'bwrap' | 'unshare' | 'setpriv' | 'sh'): string {
  const path = findLinuxTool(name);
  if (!path) throw new Error(`${name} is missing`);
  return path;
}

/** Drops every capability permanently and, as root, becomes the sandbox's user. */
function dropPrivileges(asRoot: boolean): string[] {
  return [
    linuxTool('setpriv'),
    ...(asRoot ? [`--reuid=${SANDBOX_ID}`, `--regid=${SANDBOX_ID}`, '--clear-groups'] : []),
    ...['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs'],
    // Changing the user cleared this setting from the parent.
    ...['--pdeathsig', 'KILL', '--'],
  ];
}

/** The capabilities bwrap needs to enter another user's folder, and setpriv needs to become that user. */
const UNTIL_DROPPED = ['CAP_DAC_READ_SEARCH', 'CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];

/**
 * Wraps a command in bubblewrap. If the app runs as root, root creates the mounts and the program runs as another of
 * the machine's users. Otherwise a user namespace is used, where the program stays the same user to the machine but
 * sees itself as another.
 */
export function underBwrap(command: string[], view: SandboxView, asRoot: boolean): string[] {
  const [program, ...args] = resolveProgram(command);
  const mounts = mountsOf(program, view);
  const options = { 'read-only': '--ro-bind', writable: '--bind', device: '--dev-bind' };
  return [
    linuxTool('bwrap'),
    ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    '--die-with-parent',
    ...(asRoot
      ? ['--cap-drop', 'ALL', ...UNTIL_DROPPED.flatMap((capability) => ['--cap-add', capability])]
      : ['--unshare-user', '--uid', String(SANDBOX_ID), '--gid', String(SANDBOX_ID)]),
    // bwrap itself would make them accessible only to root.
    ...foldersAbove(mounts.map(({ path }) => path)).flatMap((path) => ['--dir', path]),
    ...mounts.flatMap((mount) =>
      mount.kind === 'symlink'
        ? ['--symlink', mount.target, mount.path]
        : [options[mount.kind], mount.path, mount.path],
    ),
    ...['--remount-ro', '/', '--chdir', view.folder, '--'],
    ...(asRoot ? dropPrivileges(true) : []),
    ...[program, ...args],
  ];
}

/**
 * Wraps a command in util-linux's `unshare` with its own root directory, which `mount` creates on a tmpfs. That tmpfs
 * covers /sys, only in the sandbox's mount namespace, because every system has this folder and no program here needs
 * it.
 */
export function underUnshare(command: string[], view: SandboxView, asRoot: boolean): string[] {
  const [program, ...args] = resolveProgram(command);
  const mounts = mountsOf(program, view);
  const inRoot = (path: string) => quote(`/sys${path}`);
  const folders = mounts.flatMap(({ kind, path }) =>
    kind !== 'symlink' && lstatSync(/*turbopackIgnore: true*/ path).isDirectory() ? [path] : [],
  );
  const script = [
    'set -eu',
    'umask 022',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'mount -t tmpfs -o mode=755,nosuid,nodev,size=256k sandbox /sys',
    `mkdir -p ${[...foldersAbove(mounts.map(({ path }) => path)), ...folders].map(inRoot).join(' ')}`,
    ...mounts.flatMap((mount) => {
      const place = inRoot(mount.path);
      if (mount.kind === 'symlink') return [`ln -s ${quote(mount.target)} ${place}`];
      return [
        ...(folders.includes(mount.path) ? [] : [`[ -e ${place} ] || : > ${place}`]),
        `mount -o ${mount.kind === 'read-only' ? 'bind,ro' : 'bind'} ${quote(mount.path)} ${place}`,
      ];
    }),
    'mount -o remount,bind,ro /sys',
    'exec chroot /sys "$@"',
  ].join('\n');
  return [
    ...[linuxTool('unshare'), ...(asRoot ? [] : [...IN_USER_NAMESPACE, '--keep-caps'])],
    ...['--mount', ...NAMESPACES, linuxTool('sh'), '-c', script, 'sandbox'],
    ...dropPrivileges(asRoot),
    ...asChild([program, ...args], view.folder),
  ];
}

/** Wraps a command so that it has no network and, as root, runs as another user. It can see the machine's files. */
export function withoutNetwork(command: string[], view: SandboxView, asRoot: boolean): string[] {
  return [
    ...[linuxTool('unshare'), ...(asRoot ? [] : IN_USER_NAMESPACE), ...NAMESPACES],
    ...dropPrivileges(asRoot),
    ...asChild(command, view.folder),
  ];
}

/** Wraps a command so that it runs as another user without capabilities. For root without namespaces. */
export const asSandboxUser = (command: string[]): string[] => [...dropPrivileges(true), ...command];

const NAMESPACES = ['--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child', '--'];
const IN_USER_NAMESPACE = ['--user', `--map-user=${SANDBOX_ID}`, `--map-group=${SANDBOX_ID}`];

/** Runs the program as a child, because a PID namespace's first process ignores signals such as SIGXCPU. */
function asChild(command: string[], folder: string): string[] {
  return [linuxTool('sh'), '-c', 'cd "$1" && shift && "$@"; exit $?', 'sandbox', folder, ...command];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
