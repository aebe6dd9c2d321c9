import { ArchiveProblem, PROBLEMS } from '@/components/portability/imports/archive-problem';
import type { ChosenFiles } from '@/components/portability/imports/chosen-files';
import { importErrorMessage } from '@/components/portability/imports/import-error';
import type { ImportSource } from '@/components/portability/imports/import-source';
import { dispatchImport } from '@/components/portability/imports/import-state';
import { readClips } from '@/components/portability/imports/sources/read-clips';
import {
  type SourceFile,
  sourceOfFile,
  sourcesOfZip,
} from '@/components/portability/imports/sources/source-file';
import { call } from '@/lib/api/shared/client';
import { type FileLimits, findExceededLimit } from '@/lib/billing/plans/shared/file-limits';
import type { ClipReview, IdentifiedValues } from './clip-review';
import { createClipsSource } from './clips-source';
import { findDuplicates } from './find-duplicates';

/** Shows how far a step is, at most once a frame's time, since thousands of files are read in a few seconds. */
function createProgress(step: 'files' | 'duplicates', signal: AbortSignal) {
  let shownAt = 0;
  return (done: number, total: number) => {
    const now = performance.now();
    if (signal.aborted || now - shownAt < 100) return;
    shownAt = now;
    dispatchImport({ type: 'read', reading: { step, done, total } });
  };
}

/**
 * Returns the chosen files, with the members of ZIPs in place of the ZIPs. One that can't be read is told, and in a folder,
 * it doesn't keep the others out.
 * @throws ArchiveProblem
 */
async function listFiles({ files, unreadable }: ChosenFiles) {
  const listed: SourceFile[] = [];
  const refused = unreadable.map((path) => ({ path, reason: PROBLEMS.unreadable as string }));
  for (const { file, path } of files) {
    if (!/\.zip$/i.test(file.name)) listed.push(sourceOfFile(file, path));
    else {
      try {
        for (const member of await sourcesOfZip(file)) listed.push(member);
      } catch (error) {
        const reason = importErrorMessage(error);
        if (files.length === 1) throw new ArchiveProblem(reason);
        if (!path.includes('/')) throw new ArchiveProblem(`${file.name}: ${reason}`);
        refused.push({ path, reason });
      }
    }
  }
  return { listed, refused };
}

async function read(chosen: ChosenFiles, signal: AbortSignal) {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const { listed, refused } = await listFiles(chosen);
  const onProgress = createProgress('files', signal);
  const found = await readClips(listed, { zone, now: Date.now(), onProgress, signal });
  return { ...found, ignored: [...refused, ...found.ignored] };
}

/**
 * Looks into files: what videos there are, when they were recorded, and which of them are copies.
 * @throws ArchiveProblem if there's no video, or a chosen ZIP can't be read; ApiError; or the signal's reason if it's
 * aborted
 */
export async function openClips(
  chosen: ChosenFiles,
  limits: FileLimits,
  signal: AbortSignal,
): Promise<ClipReview> {
  const { clips, ignored, kind, withoutVideo } = await read(chosen, signal);
  if (clips.length === 0) throw new ArchiveProblem(PROBLEMS.noVideos);
  const duplicates = await findDuplicates(clips, createProgress('duplicates', signal), signal);
  const problems = new Map(
    clips.flatMap(({ id, file, seconds }) => {
      const exceeded = findExceededLimit(limits, { bytes: file.size, seconds: seconds ?? 0 });
      return exceeded ? [[id, exceeded.problem] as const] : [];
    }),
  );
  const usage = await call('GET /plan_details', { signal });
  return {
    kind,
    handles: chosen.handles,
    clips,
    duplicates,
    problems,
    refused: ignored,
    withoutVideo,
    usage,
  };
}

/**
 * Finds the clips of an interrupted import among files that were chosen again.
 * @throws ArchiveProblem if none of them is there; else like `openClips`
 */
export async function continueClips(
  chosen: ChosenFiles,
  { kind, name }: Pick<ImportSource, 'kind' | 'name'>,
  wanted: readonly IdentifiedValues[],
  signal: AbortSignal,
): Promise<ImportSource> {
  const { clips } = await read(chosen, signal);
  const found = new Map(clips.map((clip) => [clip.id, clip]));
  const again = wanted.flatMap((values) => {
    const clip = found.get(values.id);
    return clip ? [{ clip, values }] : [];
  });
  if (again.length === 0) throw new ArchiveProblem(PROBLEMS.otherFiles);
  const missing = wanted.filter(({ id }) => !found.has(id));
  return createClipsSource(kind, name, again, missing);
}
