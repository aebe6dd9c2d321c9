import { connect } from 'node:net';
import { join } from 'node:path';
import { freePorts, startProcess } from '../process';
import type { StartOptions } from './server';

/** Starts a Redis that writes nothing to the disk. */
export async function redis({
  programs,
  dir,
}: Pick<StartOptions, 'programs' | 'dir'>): Promise<{ url: string; stop(): Promise<void> }> {
  const { port } = await freePorts('port');
  const server = await startProcess({
    command: programs['redis-server'] ?? '',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir],
    cwd: dir,
    log: join(dir, 'redis.log'),
    isReady: () => accepts(port),
  });
  return { url: `redis://127.0.0.1:${port}`, stop: server.stop };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
