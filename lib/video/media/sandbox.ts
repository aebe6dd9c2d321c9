import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { NoSandboxError } from './errors';
import { underKernelLimits } from './limits';
import {
  asSandboxUser,
  SANDBOX_ID,
  type SandboxView,
  underBwrap,
  underUnshare,
  withoutNetwork,
} from './sandbox-commands';

export const SANDBOX_SETTINGS = ['auto', 'off', 'required'] as const;
export type SandboxSetting = (typeof SANDBOX_SETTINGS)[number];

/**
 * Returns the setting that applies where `FFMPEG_SANDBOX` isn't set. In production, Linux has to isolate ffmpeg completely:
 * a log line about less would be read by nobody. Other systems have no sandbox, and neither have serverless functions.
 */
export function defaultSandbox({
  isProduction,
  isServerless,
  platform = process.platform,
}: {
  isProduction: boolean;
  isServerless: boolean;
  platform?: NodeJS.Platform;
}): SandboxSetting {
  return isProduction && platform === 'linux' && !isServerless ? 'required' : 'auto';
}

/** A way to isolate ffmpeg from the rest of the machine. */
export interface Sandbox {
  /**
   * `full`: no network, no capabilities, only the job's folder visible, and another user if the app runs as root.
   * `network`: the same, but with the machine's files visible. `user`: another user without capabilities. `none`:
   * like the app itself.
   */
  isolation: 'full' | 'network' | 'user' | 'none';
  /** Completes the sentence "ffmpeg runs …" in the startup message. */
  describe: string;
  /**
   * Returns a command that runs the given one inside, after giving the sandbox's user access to the folder and the
   * readable files. Throws if the folder isn't private (0700).
   */
  enter(command: string[], view: SandboxView): Promise<string[]>;
}

/** Returns a sandbox that does nothing, for systems without one and for `FFMPEG_SANDBOX=off`. */
export function noSandbox(why: string): Sandbox {
  return { isolation: 'none', describe: `without a sandbox (${why})`, enter: async (command) => command };
}

/**
 * Returns every sandbox that this machine might allow, strictest first. Tests pass `asRoot: false` to get an ordinary
 * user's.
 */
export function candidateSandboxes({ asRoot = process.getuid?.() === 0 } = {}): Sandbox[] {
  const user = asRoot ? ', as a user of its own' : '';
  const sandbox = (isolation: Sandbox['isolation'], describe: string, wrap: typeof underBwrap): Sandbox => ({
    isolation,
    describe,
    async enter(command, view) {
      if (asRoot) await grantOwnership(view);
      // A full sandbox mounts what it shows, so no parent folder matters.
      if (asRoot && isolation !== 'full') await allowTraversal(view);
      return wrap(command, view, asRoot);
    },
  });
  const full = `without network${user}, seeing only the video it works on`;
  const half = `without network${user}, but other files are visible`;
  const userOnly = 'as a user of its own (setpriv), but with network, and other files are visible';
  return [
    sandbox('full', `in a sandbox (bubblewrap): ${full}`, underBwrap),
    sandbox('full', `in a sandbox (unshare): ${full}`, underUnshare),
    sandbox('network', `in half a sandbox (unshare): ${half}`, withoutNetwork),
    ...(asRoot ? [sandbox('user', userOnly, asSandboxUser)] : []),
  ];
}

/**
 * Returns the strictest sandbox in which every given command runs and exits with 0. Tries each one, because
 * containers often refuse namespaces and a program may need files that a sandbox hides.
 * @throws NoSandboxError if the setting is `required` and no sandbox isolates fully
 */
export async function findSandbox(setting: SandboxSetting, commands: string[][]): Promise<Sandbox> {
  const found = await firstThatWorks(setting, commands);
  if (setting === 'required' && found.isolation !== 'full') {
    throw new NoSandboxError('no_ffmpeg', `FFMPEG_SANDBOX=required, but ffmpeg would run ${found.describe}`);
  }
  return found;
}

async function firstThatWorks(setting: SandboxSetting, commands: string[][]): Promise<Sandbox> {
  if (setting === 'off') return noSandbox('FFMPEG_SANDBOX=off');
  if (process.platform !== 'linux') return noSandbox('only Linux has one');
  for (const sandbox of candidateSandboxes()) {
    if (await canRun(sandbox, commands)) return sandbox;
  }
  return noSandbox('this system refuses every kind; bubblewrap needs to be installed and namespaces allowed');
}

/** Returns whether commands run in a sandbox here, under the same limits that ffmpeg gets later. */
async function canRun(sandbox: Sandbox, commands: string[][]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'daylight-sandbox-'));
  const limits = { kind: 'wasm', maxSeconds: 60, maxOutputBytes: 0 } as const;
  try {
    for (const command of [...commands, ['/bin/sh', '-c', ': > written']]) {
      // A program's own files, such as a script that Node runs, are its absolute-path arguments.
      const readable = command.slice(1).filter((argument) => argument.startsWith('/'));
      const inside = await sandbox.enter(command, { folder, readable });
      const [program = '', ...args] = underKernelLimits(inside, limits);
      await promisify(execFile)(program, args, {
        cwd: folder,
        env: {} as NodeJS.ProcessEnv,
        // Longer than any machine needs, since giving up would mean a weaker sandbox for as long as the app runs.
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
    }
    return (await stat(join(folder, 'written'))).isFile();
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the sandbox's user the owner of the folder, and lets its group read the files. */
async function grantOwnership({ folder, readable }: SandboxView): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (mode & 0o077) throw new Error(`ffmpeg's folder must be private (0700): ${folder}`);
  if (uid !== SANDBOX_ID) await chown(folder, SANDBOX_ID, SANDBOX_ID);
  for (const file of readable) {
    const info = await stat(file).catch(() => null);
    if (!info || info.mode & 0o004) continue;
    if (info.gid !== SANDBOX_ID) await chown(file, info.uid, SANDBOX_ID);
    if (!(info.mode & 0o040)) await chmod(file, (info.mode & 0o7777) | 0o040);
  }
}

/**
 * Lets the sandbox's user pass through the parent folders of the job's folder and its files, without listing them.
 * Applies only below the system's temporary folder, because the permissions of other folders are their owners'
 * decision.
 */
async function allowTraversal({ folder, readable }: SandboxView): Promise<void> {
  for (const place of new Set([folder, ...readable].map((path) => dirname(path)))) {
    if (place === folder || !place.startsWith(`${tmpdir()}/`)) continue;
    const { mode } = await stat(place);
    if (!(mode & 0o001)) await chmod(place, (mode & 0o7777) | 0o001);
  }
}
