import { randomBytes } from 'node:crypto';
import { freePorts } from '../process';
import { ACCESS_KEY, ERROR_CODES, SECRET_KEY, storageServer } from './bucket';
import type { RealServer } from './server';

const DIFFERENCES: RealServer['differences'] = {
  'refuses a preflight from another origin': 'It answers 204 without the header that would allow it.',
  'lists keys below a prefix': 'A key can’t be a folder of another.',
  'DeleteObjects deletes many objects': 'It refuses odd keys, which the app never makes.',
  'completing again after a lost response': 'It forgets a completed upload; the app looks for the object.',
  'order, ETags, sizes and numbers': ERROR_CODES,
  'bytes=5-2': 'It refuses a range that ends before it starts, which no browser asks for.',
  'another type is refused': ERROR_CODES,
  'another key is refused': ERROR_CODES,
  'an extra field is refused': ERROR_CODES,
  'an altered policy or signature': ERROR_CODES,
  'an expired policy is refused': ERROR_CODES,
  'a form without a final boundary': 'It stores what has arrived of a form. Parts have MD5s.',
  'fields of more than 20 KB': ERROR_CODES,
  'are refused for another region': 'It takes any region; the signature still has to match.',
  'are refused with an unsigned header added': 'It ignores unsigned headers that it knows nothing about.',
  'is refused by storage with other bytes': 'A part without its checksum gets 400.',
};

/** Where no ETag is an MD5, tests that compare them fail. */
const OPAQUE_ETAGS: RealServer['differences'] = {
  'return the bytes and the type, with the MD5': 'ETags aren’t MD5s.',
  'parts become one object, with the ETag': 'ETags aren’t MD5s.',
  'starts the jobs once under 20 parallel calls': 'ETags aren’t MD5s.',
  'is refused while a part is missing':
    'Other bytes for a part start the upload over (signed-parts.test.ts).',
};

const minioServer = (
  name: string,
  env: () => Record<string, string>,
  differences: RealServer['differences'],
): RealServer =>
  storageServer({
    name,
    program: 'minio',
    differences,
    // It has CORS for the whole server only.
    cors: false,
    async configure({ port, data, origins }) {
      const { dashboard } = await freePorts('dashboard');
      const addresses = ['--address', `127.0.0.1:${port}`, '--console-address', `127.0.0.1:${dashboard}`];
      return {
        args: ['server', '--quiet', ...addresses, data],
        env: {
          MINIO_ROOT_USER: ACCESS_KEY,
          MINIO_ROOT_PASSWORD: SECRET_KEY,
          MINIO_API_CORS_ALLOW_ORIGIN: origins.join(','),
          ...env(),
        },
      };
    },
  });

export const minio = minioServer('minio', () => ({}), DIFFERENCES);

/** Encrypts every object with a key of its own (SSE-KMS), so that no ETag is an MD5. */
export const minioKms = minioServer(
  'minio-kms',
  () => ({
    MINIO_KMS_SECRET_KEY: `daylight:${randomBytes(32).toString('base64')}`,
    MINIO_KMS_AUTO_ENCRYPTION: 'on',
  }),
  { ...DIFFERENCES, ...OPAQUE_ETAGS },
);
