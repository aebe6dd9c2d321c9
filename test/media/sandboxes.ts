import { execFileSync } from 'node:child_process';
import { findLinuxTool } from '@/lib/video/media/executables';
import { candidateSandboxes, type Sandbox } from '@/lib/video/media/sandbox';

export const isRoot = process.getuid?.() === 0;
const ORDINARY_USER = 1234;

/** Tells whether the kernel lets somebody have namespaces, asked without any of our own code. */
function allows(user: number | undefined, program: string, ...args: string[]): boolean {
  const path = findLinuxTool(program);
  if (!path) return false;
  try {
    const as = user === undefined ? {} : { uid: user, gid: user };
    execFileSync(path, args, { stdio: 'ignore', ...as });
    return true;
  } catch {
    return false;
  }
}

const NAMESPACES = ['--net', '--pid', '--ipc', '--uts', '--fork'];
const MOUNTING = ['sh', '-c', 'mount -t tmpfs none /sys'];
const USER_NAMESPACE = ['--user', '--map-user=1', '--map-group=1'];
const BWRAP = ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', 'true'];

export interface SandboxCase {
  name: string;
  sandbox: Sandbox;
  /** Who starts it: root may try it as an ordinary user too. */
  user: number | undefined;
  allowed: boolean;
}

/** Every mechanism on this machine, as root where the tests are root, and as an ordinary user. */
export function sandboxCases(): SandboxCase[] {
  if (process.platform !== 'linux') return [];
  const asUser = isRoot ? ORDINARY_USER : undefined;
  const list = (asRoot: boolean): SandboxCase[] => {
    const user = asRoot ? undefined : asUser;
    const own = asRoot ? [] : USER_NAMESPACE;
    const mounts = [...own, ...(asRoot ? [] : ['--keep-caps']), '--mount', ...NAMESPACES, ...MOUNTING];
    const allowed = [
      allows(user, 'bwrap', ...(asRoot ? [] : ['--unshare-user']), ...BWRAP),
      allows(user, 'unshare', ...mounts),
      allows(user, 'unshare', ...own, ...NAMESPACES, 'true'),
      asRoot,
    ];
    return candidateSandboxes({ asRoot }).map((sandbox, index) => ({
      name: `${sandbox.describe} (started by ${asRoot ? 'root' : 'an ordinary user'})`,
      sandbox,
      user,
      allowed: allowed[index] ?? false,
    }));
  };
  return [...(isRoot ? list(true) : []), ...list(false)];
}
