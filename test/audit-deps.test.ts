import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, isAllowed, nameOf, readLockfile } from '@/scripts/audit-deps';
import { REVIEWED_LICENSES } from '@/scripts/dependency-policy';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'daylight-sbom-'));
const path = join(folder, 'bill.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
  hashes?: { alg: string; content: string }[];
}
let printed = '';
let bill: { bomFormat: string; specVersion: string; components: Component[] };

beforeAll(async () => {
  const script = join(root, 'scripts/audit-deps.ts');
  // No registry can answer here, and none is needed.
  const env = { ...process.env, npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9/' };
  const run = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, path], {
    cwd: root,
    env,
  });
  printed = run.stdout;
  bill = JSON.parse(readFileSync(path, 'utf8'));
});

describe('npm run lab -- audit-deps', () => {
  it('finds nothing against the policy, and lists licenses and install scripts', () => {
    expect(printed).toMatch(/^Licenses\n\s+\d+ {2}MIT$/m);
    expect(printed).toMatch(/^Install scripts$/m);
    expect(printed).toContain('ffmpeg-static: Downloads ffmpeg');
  });

  it('writes every production dependency to the bill of materials', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    // npm names a package under an alias by the alias here, but not in its address.
    const listed = new Map(bill.components.map((component) => [component.purl, component]));
    const needed = Object.entries(readLockfile(root)).filter(([, { dev }]) => !dev);
    expect(needed.length).toBeGreaterThan(100);
    for (const [place, locked] of needed) {
      const name = nameOf(place, locked);
      const component = listed.get(`pkg:npm/${name.replace('@', '%40')}@${locked.version}`);
      expect(component, name).toBeDefined();
      const isLicensed = REVIEWED_LICENSES[name]?.license !== null && locked.license;
      expect(component?.licenses?.length ?? 0, name).toBe(isLicensed ? 1 : 0);
      if (!locked.integrity) continue;
      const [algorithm = '', digest = ''] = locked.integrity.split(/-(.*)/s);
      expect(component?.hashes).toContainEqual({
        alg: algorithm.replace('sha', 'SHA-'),
        content: Buffer.from(digest, 'base64').toString('hex'),
      });
    }
  });
});

describe('the policy', () => {
  const locked = readLockfile(root);

  it('refuses a license outside the list, and a package that declares none', () => {
    const added = {
      'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0-only' },
      'node_modules/b': { version: '2.0.0' },
    };
    expect(audit(root, { ...locked, ...added }).problems).toEqual([
      "a 1.0.0: its license (AGPL-3.0-only) isn't allowed",
      "b 2.0.0: its license (none declared) isn't allowed",
    ]);
  });

  it('refuses a reviewed package whose license has changed', () => {
    const place = 'node_modules/ffmpeg-static';
    const changed = { ...locked, [place]: { ...locked[place], license: 'SSPL-1.0' } };
    expect(audit(root, changed).problems).toEqual([expect.stringContaining('SSPL-1.0')]);
  });

  it('refuses an install script that nobody has reviewed', () => {
    const added = {
      'node_modules/x/node_modules/@y/z': { version: '1.0.0', license: 'MIT', hasInstallScript: true },
    };
    expect(audit(root, { ...locked, ...added }).problems).toEqual([
      '@y/z 1.0.0: runs an install script that nobody has reviewed',
    ]);
  });

  it('reads SPDX expressions', () => {
    expect(
      ['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'].map(isAllowed),
    ).toEqual([true, true, true]);
    expect(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'MIT OR X AND Y'].map(isAllowed)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
