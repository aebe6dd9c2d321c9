import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BYTES = 4_000_000;
const IN_NAMESPACE = ['--user', '--map-root-user', '--mount'];

/** Whether this system lets a test mount a file system in a namespace of its own. */
export const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...IN_NAMESPACE, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Mounts a file system of 4 MB, which is in memory, in a namespace of a process of its own. */
export async function mountSmallDisk() {
  const at = mkdtempSync(join(tmpdir(), 'daylight-small-disk-'));
  const script = 'mount -t tmpfs -o "size=$2" none "$1" && echo mounted && exec sleep infinity';
  const holder = spawn('unshare', [...IN_NAMESPACE, 'sh', '-c', script, 'sh', at, String(BYTES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const folder = `/proc/${holder.pid}/root${at}`;
  const filling = join(folder, 'filling');
  mkdirSync(join(folder, 'nested'));
  return {
    /** Where this process reaches it. */
    folder,
    fill: () => writeFileSync(filling, Buffer.alloc(BYTES * 0.95)),
    empty: () => rmSync(filling, { force: true }),
    async unmount() {
      const ended = once(holder, 'close');
      holder.kill('SIGKILL');
      await ended;
      rmSync(at, { recursive: true });
    },
  };
}
