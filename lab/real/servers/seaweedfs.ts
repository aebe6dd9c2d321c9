import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../process';
import { ACCESS_KEY, ERROR_CODES, SECRET_KEY, storageServer } from './bucket';

const PARTS = ['master', 'volume', 'filer'] as const;

/** SeaweedFS: master, volume, filer and S3 gateway in one process. */
export const seaweedfs = storageServer({
  name: 'seaweedfs',
  program: 'weed',
  differences: {
    'answers a preflight for': 'It allows every method and header with an asterisk.',
    'refuses a preflight from another origin':
      'It allows every site unless -s3.allowedOrigins says otherwise.',
    'lists keys below a prefix': 'A key can’t be a folder of another.',
    'DeleteObjects deletes many objects': 'It refuses odd keys, which the app never makes.',
    'parts become one object': 'It lists a part that was sent twice two times; the app takes the signed one.',
    'parts are listed in pages': 'It repeats the last part of a page; the app counts each number once.',
    'order, ETags, sizes and numbers': ERROR_CODES,
    'are refused for another region': 'It takes any region; the signature still has to match.',
    'are refused when the body': 'It ignores the signed SHA-256; the app signs the MD5.',
    'bytes=5-2': 'It refuses a range that ends before it starts, which no browser asks for.',
    'an extra field is refused': ERROR_CODES,
    'an altered policy or signature': ERROR_CODES,
    'an expired policy is refused': ERROR_CODES,
    'ignores fields after the file': 'It reads fields after the file; the policy holds for them too.',
    'fields of more than 20 KB': ERROR_CODES,
    'frees its room at once': 'It lists no parts of an aborted upload instead of refusing to.',
  },
  async configure({ port, dir, data }) {
    const ports = { ...(await freePorts(...PARTS)), s3: port };
    const grpcPorts = await freePorts(...PARTS, 's3');
    const keys = join(dir, 'keys.json');
    const credentials = [{ accessKey: ACCESS_KEY, secretKey: SECRET_KEY }];
    const identities = [{ name: 'daylight', credentials, actions: ['Admin'] }];
    writeFileSync(keys, JSON.stringify({ identities }));
    const named = (ending: string, given: Record<string, number>) =>
      Object.fromEntries(Object.entries(given).map(([part, number]) => [`${part}.${ending}`, number]));
    const options = {
      ...named('port', ports),
      ...named('port.grpc', grpcPorts),
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
    return { args: ['server', ...Object.entries(options).map(([name, value]) => `-${name}=${value}`)] };
  },
});
