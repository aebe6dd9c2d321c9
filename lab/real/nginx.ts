import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { hasIpv6 } from '@/local/up/fixtures/network';
import { type ServerProcess, startProcess } from './process';

/** Returns the program that tests put in front of two processes of the site, or null: `npm run lab -- real` names it. */
export const testedProxy = (): string | null => process.env.TEST_NGINX || null;

type Change = [what: RegExp, to: string];

/** Where nginx listens for storage, and the port of storage itself. */
interface StorageProxy {
  port: number;
  storage: number;
}

/**
 * Returns the settings in `deploy/nginx.conf` for these ports of this machine, without TLS, and without storage unless
 * it's given.
 * @throws Error if they aren't in that file as expected
 */
export function localSettings(port: number, sites: readonly number[], storage?: StorageProxy): string {
  const servers = sites.map((site) => `server 127.0.0.1:${site} max_fails=0;`).join('\n');
  const addresses = ['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])];
  const listen = (at: number) => addresses.map((address) => `listen ${address}:${at};`).join('\n');
  const serverLines = (name: string) =>
    new RegExp(
      `listen 443 ssl http2;\\s+server_name ${name};\\s+ssl_certificate .+\\s+ssl_certificate_key .+\\n`,
    );
  const storageChanges: Change[] = storage
    ? [
        [serverLines('storage\\.example'), listen(storage.port)],
        [/127\.0\.0\.1:7070/, `127.0.0.1:${storage.storage}`],
      ]
    : [[/server \{\s+listen 443 ssl http2;\s+server_name storage\.example;[\s\S]+$/, '']];
  const changes: Change[] = [
    [/server 127\.0\.0\.1:3000 max_fails=0;\s+server 127\.0\.0\.1:3001 max_fails=0;/, servers],
    [/server \{\s+listen 80;[^}]+\}/, ''],
    [serverLines('journal\\.example'), listen(port)],
    ...storageChanges,
  ];
  return changes.reduce(
    (text, [what, to]) => {
      if (!what.test(text)) throw new Error(`deploy/nginx.conf has nothing like ${what}.`);
      return text.replace(what, to);
    },
    readFileSync(join(projectRoot, 'deploy', 'nginx.conf'), 'utf8'),
  );
}

/**
 * Starts nginx in front of the site's processes. Its settings and logs go to `dir`, which is made.
 * @param options.edit - changes the settings in `deploy/nginx.conf` further
 */
export async function startNginx(options: {
  program: string;
  port: number;
  sites: readonly number[];
  storage?: StorageProxy;
  dir: string;
  edit?: (settings: string) => string;
}): Promise<ServerProcess> {
  const { program, port, sites, storage, dir, edit = (given) => given } = options;
  mkdirSync(dir, { recursive: true });
  const settings = join(dir, 'nginx.conf');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    settings,
    `daemon off;
pid ${dir}/nginx.pid;
error_log stderr;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
access_log off;
${folders.map((name) => `${name}_temp_path ${dir}/${name};`).join('\n')}
${edit(localSettings(port, sites, storage).replaceAll('/var/log/nginx/', `${dir}/`))}
}
`,
  );
  return startProcess({
    command: program,
    args: ['-p', dir, '-c', settings, '-e', 'stderr'],
    cwd: dir,
    log: join(dir, 'nginx.log'),
    // With 502, until the site is there.
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0,
  });
}
