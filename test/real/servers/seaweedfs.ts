import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersAtAll, freePorts, startProcess } from '../process';
import { ACCESS_KEY, createBucket, SECRET_KEY, STORAGE_TESTS, storageSettings } from './bucket';
import type { RealServer } from './server';

const PARTS = ['master', 'volume', 'filer', 's3'] as const;

/** SeaweedFS: master, volume, filer and S3 gateway in one process. */
export const seaweedfs: RealServer = {
  name: 'seaweedfs',
  programs: ['weed'],
  service: 'storage',
  tests: STORAGE_TESTS,
  differences: {},
  async start({ programs, dir, origins }) {
    const ports = await freePorts(...PARTS);
    const grpcPorts = await freePorts(...PARTS);
    const data = join(dir, 'data');
    mkdirSync(data);
    const keys = join(dir, 'keys.json');
    const credentials = [{ accessKey: ACCESS_KEY, secretKey: SECRET_KEY }];
    const identities = [{ name: 'daylight', credentials, actions: ['Admin'] }];
    writeFileSync(keys, JSON.stringify({ identities }));
    const url = `http://127.0.0.1:${ports.s3}`;
    const options = {
      ...Object.fromEntries(PARTS.map((part) => [`${part}.port`, ports[part]])),
      ...Object.fromEntries(PARTS.map((part) => [`${part}.port.grpc`, grpcPorts[part]])),
      ip: '127.0.0.1',
      'ip.bind': '127.0.0.1',
      dir: data,
      s3: true,
      's3.config': keys,
      's3.port.iceberg': 0,
      's3.port.lance': 0,
      's3.localSocket': join(dir, 's3.sock'),
      'filer.localSocket': join(dir, 'filer.sock'),
      // Each test bucket takes several volumes.
      'volume.max': 100,
      'master.telemetry': false,
      'master.volumeSizeLimitMB': 100,
    };
    const server = await startProcess({
      command: programs.weed ?? '',
      args: ['server', ...Object.entries(options).map(([name, value]) => `-${name}=${value}`)],
      cwd: dir,
      log: join(dir, 'weed.log'),
      isReady: () => answersAtAll(url),
    });
    await createBucket(url, origins);
    return { env: storageSettings(url), stop: server.stop };
  },
};
