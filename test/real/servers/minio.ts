import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answers, freePorts, startProcess } from '../process';
import { ACCESS_KEY, createBucket, SECRET_KEY, STORAGE_TESTS, storageSettings } from './bucket';
import type { RealServer } from './server';

function minioServer(name: string, env: () => Record<string, string>): RealServer {
  return {
    name,
    programs: ['minio'],
    service: 'storage',
    tests: STORAGE_TESTS,
    differences: {},
    async start({ programs, dir, origins }) {
      const { port, dashboard } = await freePorts('port', 'dashboard');
      const data = join(dir, 'data');
      mkdirSync(data);
      const url = `http://127.0.0.1:${port}`;
      const addresses = ['--address', `127.0.0.1:${port}`, '--console-address', `127.0.0.1:${dashboard}`];
      const server = await startProcess({
        command: programs.minio ?? '',
        args: ['server', '--quiet', ...addresses, data],
        env: {
          MINIO_ROOT_USER: ACCESS_KEY,
          MINIO_ROOT_PASSWORD: SECRET_KEY,
          // It has CORS for the whole server only.
          MINIO_API_CORS_ALLOW_ORIGIN: origins.join(','),
          ...env(),
        },
        cwd: dir,
        log: join(dir, 'minio.log'),
        isReady: () => answers(`${url}/minio/health/ready`),
      });
      await createBucket(url, origins, { cors: false });
      return { env: storageSettings(url), stop: server.stop };
    },
  };
}

export const minio = minioServer('minio', () => ({}));

/** Encrypts every object with a key of its own (SSE-KMS), so that no ETag is an MD5. */
export const minioKms = minioServer('minio-kms', () => ({
  MINIO_KMS_SECRET_KEY: `daylight:${randomBytes(32).toString('base64')}`,
  MINIO_KMS_AUTO_ENCRYPTION: 'on',
}));
