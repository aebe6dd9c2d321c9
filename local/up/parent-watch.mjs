/**
 * Preloaded into Node children (`node --import`): ends them when the process that started them is gone, which a
 * `kill -9` of it would otherwise leave running on their port. A child that leads a process group takes the
 * group with it, its ffmpeg included.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const parent = process.ppid;
  const leadsGroup = process.env.DAYLIGHT_GROUP_LEADER === '1' && process.platform !== 'win32';
  // A grandchild must not take itself for the leader.
  delete process.env.DAYLIGHT_GROUP_LEADER;
  setInterval(() => {
    if (process.ppid === parent) return;
    if (leadsGroup) process.kill(-process.pid, 'SIGKILL');
    process.exit(1);
  }, 500).unref();
}
