import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { PageHeading } from '@/components/ui/page-heading';
import { type Part, SECTIONS } from './parts';

export const metadata: Metadata = { title: 'Open source notices' };

/** Reads one of NOTICE_FILES. */
const readNoticeFile = (path: string) =>
  readFile(join(/*turbopackIgnore: true*/ process.cwd(), path), 'utf8');

async function versionOf(name: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readNoticeFile(`node_modules/${name}/package.json`),
  );
  return version;
}

/** Returns the texts of a part's licenses in order, each with the packages that it's for and their versions. */
async function licensesOf({ package: own, text, includes = {} }: Part): Promise<[string, string[]][]> {
  const packages = new Map<string, string[]>();
  const files = [...(text ? [[own ?? '', text]] : []), ...Object.entries(includes)];
  for (const [name = '', path = ''] of files) {
    const license = await readNoticeFile(path);
    const version = name && `${name} ${await versionOf(name)}`;
    packages.set(license, [...(packages.get(license) ?? []), version]);
  }
  return [...packages];
}

/** Joins the lines of paragraphs, which are as long as a terminal is wide. */
const withoutLineBreaks = (license: string) =>
  license.trim().replace(/(?<=.{49}[^-\s])\r?\n[ \t]*(?!Copyright)(?=["“(‘]?\p{L})/gu, ' ');

async function Notice({ part }: { part: Part }) {
  const version = part.package ? await versionOf(part.package) : null;
  const licenses = await licensesOf(part);
  return (
    <li className="flex flex-col gap-1 py-4">
      <h3 className="text-16 font-semibold break-words">
        <a href={part.homepage} rel="noreferrer" className="text-accent-ink underline underline-offset-4">
          {part.name}
        </a>
      </h3>
      <p className="text-15 text-ink-2">{part.purpose}.</p>
      <p className="text-14 text-ink-3">
        {version && (
          <>
            {part.package} <span className="tabular-nums">{version}</span> ·{' '}
          </>
        )}
        {part.license}
      </p>
      {licenses.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-8 py-[11px] text-15 font-medium text-ink-2 hover:text-ink">
            License<span className="sr-only"> of {part.name}</span>
          </summary>
          {licenses.map(([text, packages]) => (
            <div key={text} className="mb-4 flex flex-col gap-1 text-14 break-words text-ink-2">
              {part.includes && <p className="font-medium">{packages.join(', ')}</p>}
              <p className="whitespace-pre-wrap">{withoutLineBreaks(text)}</p>
            </div>
          ))}
        </details>
      )}
    </li>
  );
}

export default function NoticesPage() {
  return (
    <div className="gutter mx-auto flex w-full max-w-[760px] flex-col gap-8 py-8 sm:py-11">
      <PageHeading lead="Daylight is built with the work of others. These are the models and libraries that transcribe your entries or reach your browser, and their licenses.">
        Open source notices
      </PageHeading>
      {SECTIONS.map(({ title, parts }) => (
        <section key={title} aria-label={title} className="flex flex-col gap-3">
          <h2 className="heading text-[22px]">{title}</h2>
          <Card className="py-1">
            <ul className="divide-y divide-line">
              {parts.map((part) => (
                <Notice key={part.name} part={part} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </div>
  );
}
