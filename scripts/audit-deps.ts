/**
 * `npm run lab -- audit-deps [-- path]`: checks every package in package-lock.json against the policy beside this file, and
 * writes a CycloneDX bill of materials of what production uses. Needs no network. Exits with 1 when a package breaks
 * the policy.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOWED_LICENSES, REVIEWED_INSTALL_SCRIPTS, REVIEWED_LICENSES } from './dependency-policy';

export interface LockedPackage {
  /** Only where it differs from the folder's. */
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  hasInstallScript?: boolean;
  dev?: boolean;
}
type Locked = Record<string, LockedPackage>;

/** Reads the packages of a project's lockfile, by their folder; without the project itself. */
export function readLockfile(root: string): Locked {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Locked };
  return Object.fromEntries(Object.entries(packages).filter(([folder]) => folder !== ''));
}

/** Returns a package's name: `node_modules/a/node_modules/@b/c` holds @b/c, unless it's installed under an alias. */
export const nameOf = (folder: string, { name }: LockedPackage): string =>
  name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Old packages declare their license in a form that npm doesn't copy to the lockfile. */
function licenseOf(root: string, folder: string, { license }: LockedPackage): string | null {
  if (license) return license;
  try {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      licenses?: { type?: string }[];
    };
    return manifest.licenses?.map(({ type }) => type).join(' OR ') || null;
  } catch {
    // Not installed on this platform.
    return null;
  }
}

/** Evaluates an SPDX expression of ANDs or ORs; one that mixes them isn't allowed before somebody has read it. */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  const all = plain.split(' AND ');
  return all.length > 1
    ? all.every((license) => ALLOWED_LICENSES.has(license))
    : plain.split(' OR ').some((license) => ALLOWED_LICENSES.has(license));
}

/** Returns how many packages have each license, which ones run install scripts, and what breaks the policy. */
export function audit(root: string, packages: Locked) {
  const licenses = new Map<string, number>();
  const scripts = new Set<string>();
  const problems: string[] = [];
  for (const [folder, locked] of Object.entries(packages)) {
    const name = nameOf(folder, locked);
    const license = licenseOf(root, folder, locked);
    const reviewed = REVIEWED_LICENSES[name];
    licenses.set(license ?? 'none declared', (licenses.get(license ?? 'none declared') ?? 0) + 1);
    // A package that isn't installed here can't be read. The lockfile pins the version that was reviewed.
    const isReviewed = reviewed !== undefined && (license === null || reviewed.license === license);
    if (!isReviewed && !(license && isAllowed(license)))
      problems.push(`${name} ${locked.version}: its license (${license ?? 'none declared'}) isn't allowed`);
    if (!locked.hasInstallScript) continue;
    scripts.add(name);
    if (!(name in REVIEWED_INSTALL_SCRIPTS))
      problems.push(`${name} ${locked.version}: runs an install script that nobody has reviewed`);
  }
  const names = new Set(Object.entries(packages).map(([folder, locked]) => nameOf(folder, locked)));
  for (const name of Object.keys({ ...REVIEWED_LICENSES, ...REVIEWED_INSTALL_SCRIPTS })) {
    if (!names.has(name)) problems.push(`${name}: reviewed, but no longer used; remove it from the policy`);
  }
  return { licenses, scripts: [...scripts].sort(), problems };
}

/**
 * Returns the bill of materials of what production uses, by `npm sbom`. It's given a copy of the manifest and the
 * lockfile without development dependencies, as its own `--omit dev` also leaves out what both kinds use. npm writes
 * version 1.5 of the format, all of which is valid as 1.6.
 */
export function billOfMaterials(root: string): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-sbom-'));
  try {
    const manifest = readJson(join(root, 'package.json'));
    const lockfile = readJson(join(root, 'package-lock.json')) as { packages: Locked };
    const packages = Object.entries(lockfile.packages).filter(([, locked]) => !locked.dev);
    const [[, top] = ['', {}], ...others] = packages;
    const withoutDev = { ...top, devDependencies: {} };
    writeJson(join(folder, 'package.json'), { ...manifest, devDependencies: {} });
    writeJson(join(folder, 'package-lock.json'), {
      ...lockfile,
      packages: Object.fromEntries([['', withoutDev], ...others]),
    });
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const printed = execFileSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64_000_000,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    return {
      ...JSON.parse(printed),
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      specVersion: '1.6',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function main(root: string, output: string): number {
  const { licenses, scripts, problems } = audit(root, readLockfile(root));
  console.log('Licenses');
  for (const [license, count] of [...licenses].sort(([, a], [, b]) => b - a))
    console.log(`  ${String(count).padStart(5)}  ${license}`);
  for (const [name, { why }] of Object.entries(REVIEWED_LICENSES)) console.log(`         ${name}: ${why}`);
  console.log('Install scripts');
  for (const name of scripts) console.log(`  ${name}: ${REVIEWED_INSTALL_SCRIPTS[name] ?? 'not reviewed'}`);
  writeJson(output, billOfMaterials(root));
  console.log(`Bill of materials (CycloneDX 1.6): ${output}`);
  for (const problem of problems) console.error(`Problem: ${problem}`);
  return problems.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(fileURLToPath(import.meta.url), '../..');
  process.exitCode = main(root, resolve(process.argv[2] ?? join(root, 'sbom.cdx.json')));
}
