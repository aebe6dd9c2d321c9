import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Part, SECTIONS } from './parts';

/** A part as the page shows it. */
export interface Notice extends Part {
  version: string | null;
  /** The texts of its licenses in order, each with the packages that it's for and their versions. */
  licenses: { text: string; packages: string[] }[];
}

/** Reads one of NOTICE_FILES. */
const readNoticeFile = (path: string) =>
  readFile(join(/*turbopackIgnore: true*/ process.cwd(), path), 'utf8');

async function versionOf(name: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readNoticeFile(`node_modules/${name}/package.json`),
  );
  return version;
}

/** Joins the lines of paragraphs, which are as long as a terminal is wide. */
const withoutLineBreaks = (license: string) =>
  license.trim().replace(/(?<=.{49}[^-\s])\r?\n[ \t]*(?!Copyright)(?=["“(‘]?\p{L})/gu, ' ');

async function loadNotice(part: Part): Promise<Notice> {
  const { package: own, text, includes = {} } = part;
  const packages = new Map<string, string[]>();
  for (const [name = '', path = ''] of [...(text ? [[own ?? '', text]] : []), ...Object.entries(includes)]) {
    const license = await readNoticeFile(path);
    const version = name && `${name} ${await versionOf(name)}`;
    packages.set(license, [...(packages.get(license) ?? []), version]);
  }
  return {
    ...part,
    version: own ? await versionOf(own) : null,
    licenses: [...packages].map(([license, names]) => ({
      text: withoutLineBreaks(license),
      packages: names,
    })),
  };
}

type Sections = { title: string; notices: Notice[] }[];

const load = (): Promise<Sections> =>
  Promise.all(
    SECTIONS.map(async ({ title, parts }) => ({ title, notices: await Promise.all(parts.map(loadNotice)) })),
  );

let loading: Promise<Sections> | undefined;

/**
 * Returns all notices, by section. They're read once, as that takes 0.2 s and they only change with a release: anybody may
 * ask for the page, which itself differs each time by its nonce.
 */
export function loadNotices(): Promise<Sections> {
  loading ??= load().catch((error: unknown) => {
    // It's tried again: there may have been no file descriptors, for example.
    loading = undefined;
    throw error;
  });
  return loading;
}
