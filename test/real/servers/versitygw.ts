import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answersAtAll, freePorts, startProcess } from '../process';
import { ACCESS_KEY, createBucket, SECRET_KEY, STORAGE_TESTS, storageSettings } from './bucket';
import type { RealServer } from './server';

/** The Versity S3 Gateway on a folder. */
export const versitygw: RealServer = {
  name: 'versitygw',
  programs: ['versitygw'],
  service: 'storage',
  tests: STORAGE_TESTS,
  differences: {},
  async start({ programs, dir, origins }) {
    const { port } = await freePorts('port');
    const data = join(dir, 'data');
    mkdirSync(data);
    const url = `http://127.0.0.1:${port}`;
    const server = await startProcess({
      command: programs.versitygw ?? '',
      args: ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', data],
      env: { ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET_KEY },
      cwd: dir,
      log: join(dir, 'versitygw.log'),
      isReady: () => answersAtAll(url),
    });
    await createBucket(url, origins);
    return { env: storageSettings(url), stop: server.stop };
  },
};
