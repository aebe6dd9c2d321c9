import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import type { ArchivedEntry, ArchivedJournal } from '@/lib/portability/exports/format';
import { type ImportableEntry, importableEntries } from '@/lib/portability/imports/archive/shared/requests';
import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { readZipIndex, sliceMember } from './read-zip';

const JOURNAL_PATH = 'daylight.json';
/** The largest JSON that's read into memory, in bytes: far more than the largest plan's journal has. */
const MAX_JSON_BYTES = 100_000_000;

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText: Check = (value) => typeof value === 'string';

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

const nullOr =
  (isOther: Check): Check =>
  (value) =>
    value === null || isOther(value);

const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);

/** Returns a check that a value has what the code relies on. What it says is for the server to check. */
const shaped =
  <T extends object>(shape: Record<string, Check>) =>
  (value: unknown): value is T =>
    isObject(value) && Object.entries(shape).every(([name, fits]) => fits(value[name]));

const isFile = nullOr(shaped({ path: isText, bytes: isCount, sha256: isText }));

const isEntry = shaped<ArchivedEntry>({
  ...{ id: isText, title: isText, date: isText, createdAt: isText, fileName: isText, contentType: isText },
  ...{ tags: Array.isArray, notes: listOf(isObject), original: isFile, playable: isFile, transcript: isFile },
  duration: nullOr((value) => Number.isFinite(value) && (value as number) >= 0),
});

const isJournal = shaped<ArchivedJournal>({
  ...{ exportedAt: isText, vocabulary: Array.isArray },
  ...{ tags: listOf(isObject), hiddenMemories: listOf(isObject), entries: listOf(isEntry) },
});

const isTranscript = shaped<ArchivedTranscript>({
  ...{ format: isText, version: (value) => typeof value === 'number', status: isText },
  revisions: listOf(shaped({ words: listOf(isObject) })),
});

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

async function readBytes(blob: Blob): Promise<Uint8Array> {
  if (blob.size > MAX_JSON_BYTES) throw new ArchiveProblem(PROBLEMS.damaged);
  return new Uint8Array(await blob.arrayBuffer());
}

/**
 * Opens an archive: reads where its members are, and `daylight.json`.
 * @throws ArchiveProblem; DOMException if the file can't be read
 */
export async function openArchive(file: File) {
  const index = await readZipIndex(file);
  const member = index.byPath.get(JOURNAL_PATH);
  if (!member) throw new ArchiveProblem(PROBLEMS.foreign);
  const json = await readBytes(await sliceMember(file, index, { path: JOURNAL_PATH, bytes: member.bytes }));
  const journal = parseJson(json);
  if (!isObject(journal)) throw new ArchiveProblem(PROBLEMS.damaged);
  if (journal.format !== 'daylight-journal') throw new ArchiveProblem(PROBLEMS.foreign);
  if (journal.version !== 1) throw new ArchiveProblem(PROBLEMS.newer);
  if (!isJournal(journal)) throw new ArchiveProblem(PROBLEMS.damaged);
  return { file, index, journal, entries: importableEntries(journal) };
}

/** An archive that can be read. */
export type Archive = Awaited<ReturnType<typeof openArchive>>;

/**
 * Opens the archive that was chosen.
 * @returns null if something else was, such as another program's ZIP, or several files of which some can't be read
 * @throws ArchiveProblem; DOMException if the only file can't be read
 */
export async function findArchive(files: readonly { file: File }[]): Promise<Archive | null> {
  for (const { file } of files) {
    if (!/\.zip$/i.test(file.name)) continue;
    const index = await readZipIndex(file).catch((error: unknown) => {
      if (files.length === 1) throw error;
      return null;
    });
    if (!index?.byPath.has(JOURNAL_PATH)) continue;
    if (files.length > 1) throw new ArchiveProblem(PROBLEMS.severalArchives);
    return openArchive(file);
  }
  return null;
}

/** Returns why an entry can't be imported, as far as the archive's directory tells; null if it can. */
export function findProblem(
  { index }: Archive,
  { entry: { transcript }, video, twins }: ImportableEntry,
): string | null {
  const isThere = (file: typeof video) => index.byPath.get(file.path.normalize('NFC'))?.bytes === file.bytes;
  if (twins.length === 0) return PROBLEMS.entryDamaged;
  if (!isThere(video)) return PROBLEMS.videoMissing;
  if (!transcript) return null;
  if (!isThere(transcript)) return PROBLEMS.wordsMissing;
  return transcript.bytes > MAX_JSON_BYTES ? PROBLEMS.wordsTooLarge : null;
}

/**
 * Reads an entry's transcript.
 * @returns null if it has none
 * @throws ArchiveProblem; DOMException if the file can't be read
 */
export async function readTranscript(
  { file, index }: Archive,
  { entry: { transcript } }: ImportableEntry,
): Promise<ArchivedTranscript | null> {
  if (!transcript) return null;
  const bytes = await readBytes(await sliceMember(file, index, transcript));
  const words = bytesToHex(sha256(bytes)) === transcript.sha256 ? parseJson(bytes) : null;
  if (!isTranscript(words)) throw new ArchiveProblem(PROBLEMS.wordsDamaged);
  return words;
}
