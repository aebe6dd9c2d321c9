import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { DOWNLOADS } from './image/in-root';
import { findProgram } from './process';
import { UNPRIVILEGED_ID } from './servers/traced';

/** Where Debian installs PostgreSQL, which isn't on PATH. */
const POSTGRES = '/usr/lib/postgresql';

/** Another user than root, as options of a child process. Whoever isn't root needs no other. */
const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};

/** How to run a command as a user without rights. */
export interface PlainUser {
  uid?: number;
  gid?: number;
  env: NodeJS.ProcessEnv;
}

/**
 * Returns a user without rights whose home is in a folder, and who has nothing on PATH but a shell, npm, and a version of
 * Node. Call {@link giveToUser} when the folder is complete.
 */
export function plainUser(folder: string, node: string): PlainUser {
  for (const name of ['home', 'tmp', 'bin']) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, path] of [
    ['node', node],
    ['npm', findProgram('npm')],
    ['sh', findProgram('sh')],
  ] as const) {
    if (!path) throw new Error(`${name} isn't on PATH.`);
    symlinkSync(realpathSync(path), join(folder, 'bin', name));
  }
  const env = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), PATH: join(folder, 'bin') };
  return { ...identity, env: env as unknown as NodeJS.ProcessEnv };
}

/** Makes a user the owner of a folder and what's in it. */
export function giveToUser({ uid, gid }: PlainUser, folder: string): void {
  if (uid !== undefined) execFileSync('chown', ['-Rh', `${uid}:${gid}`, folder]);
}

/** Runs npm in a folder as a user, with the registry and the certificates of this machine. */
export function npmAsUser(user: PlainUser, cwd: string, args: string[]): void {
  const downloads = Object.fromEntries(
    DOWNLOADS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  execFileSync(join(user.env.PATH ?? '', 'npm'), [...args, ...quiet], {
    ...user,
    cwd,
    env: { ...user.env, ...downloads },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Returns a command that runs another with no network but the machine's own addresses, and without its PostgreSQL.
 * When that ends, everything it has started does, too. Takes no rights where users may create namespaces.
 */
export function withoutNetwork(bwrap: string, command: string[]): [string, string[]] {
  const hidden = existsSync(POSTGRES) ? ['--tmpfs', POSTGRES] : [];
  const namespaces = ['--unshare-net', '--unshare-pid', '--proc', '/proc', '--die-with-parent'];
  return [bwrap, ['--dev-bind', '/', '/', ...hidden, ...namespaces, '--', ...command]];
}

/**
 * Returns a command that runs another as a user other than root, who can write to the given folders only, and without
 * programs that this machine has: its PostgreSQL, and the ffmpeg that npm may have downloaded. What the current user owns
 * is still theirs, such as a checkout. Takes no rights where users may create namespaces.
 */
export function asOwnerOf(bwrap: string, folders: string[], command: string[]): [string, string[]] {
  const hidden = [POSTGRES, join(projectRoot, 'node_modules', 'ffmpeg-static')].filter((it) =>
    existsSync(it),
  );
  const id = String(UNPRIVILEGED_ID);
  const args = [
    ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev'],
    ...folders.flatMap((folder) => ['--bind', folder, folder]),
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...['--unshare-user', '--uid', id, '--gid', id, '--die-with-parent'],
  ];
  return [bwrap, [...args, '--', ...command]];
}

/** Returns whether this machine lets the current user run commands with {@link asOwnerOf}. */
export function canDropRights(bwrap: string): boolean {
  const [command, args] = asOwnerOf(bwrap, [], ['/bin/sh', '-c', 'exit 0']);
  return spawnSync(command, args, { cwd: '/' }).status === 0;
}

/** Returns whether this machine lets a user without rights run commands {@link withoutNetwork}. */
export function canDropNetwork(bwrap: string): boolean {
  const [command, args] = withoutNetwork(bwrap, ['/bin/sh', '-c', 'exit 0']);
  return spawnSync(command, args, { cwd: '/', ...identity }).status === 0;
}
