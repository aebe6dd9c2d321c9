/**
 * Preloaded into Node children (`node --import`). Ends them when their parent is gone, because otherwise a `kill -9` of
 * the parent leaves them running on their port. A child that leads a process group also kills the group, including
 * ffmpeg.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const parent = process.ppid;
  const leadsGroup = process.env.DAYLIGHT_GROUP_LEADER === '1' && process.platform !== 'win32';
  // Grandchildren inherit the environment, but they aren't the leader.
  delete process.env.DAYLIGHT_GROUP_LEADER;
  setInterval(() => {
    if (process.ppid === parent) return;
    if (leadsGroup) process.kill(-process.pid, 'SIGKILL');
    process.exit(1);
  }, 500).unref();
}
