import { ACCESS_KEY, ERROR_CODES, SECRET_KEY, storageServer } from './bucket';

/** Returns the arguments and variables that start it on a port of 127.0.0.1. */
export const versitygwCommand = ({ port, data }: { port: number; data: string }) => ({
  args: ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', data],
  env: { ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET_KEY },
});

/** The Versity S3 Gateway on a folder. */
export const versitygw = storageServer({
  name: 'versitygw',
  program: 'versitygw',
  differences: {
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
    'lets storage take only its bytes':
      'It ignores Content-MD5 in a form. The app compares what has arrived with it.',
  },
  configure: versitygwCommand,
});
