import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answersAtAll, freePorts, startProcess } from '../process';
import {
  ACCESS_KEY,
  COMMON_DIFFERENCES,
  createBucket,
  ERROR_CODES,
  SECRET_KEY,
  STORAGE_TESTS,
  storageSettings,
} from './bucket';
import type { RealServer } from './server';

/** The Versity S3 Gateway on a folder. */
export const versitygw: RealServer = {
  name: 'versitygw',
  programs: ['versitygw'],
  service: 'storage',
  tests: STORAGE_TESTS,
  differences: {
    ...COMMON_DIFFERENCES,
    'lets an allowed origin read responses and errors': 'A refused signature has no CORS headers.',
    'serves many requests on one connection': 'It closes the connection after a refused body.',
    'lists keys below a prefix': 'A key can’t be a folder of another.',
    'order, ETags, sizes and numbers': ERROR_CODES,
    'an altered policy or signature': ERROR_CODES,
    'are refused with another key': 'It answers 404 to an unknown key.',
    'ignores fields after the file': 'It refuses fields after the file.',
    'a form without a final boundary': 'It answers 500, and stores nothing.',
    'a form of nonsense': 'It answers 500, and stores nothing.',
    'fields of more than 20 KB': ERROR_CODES,
    'presigned URLs expire': ERROR_CODES,
  },
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
