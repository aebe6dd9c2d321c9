import type { KeptHandle } from '@/components/portability/imports/chosen-files';
import type { ImportKind } from '@/components/portability/imports/import-source';
import type { PlanUsage } from '@/components/portability/imports/plan-import';
import type { Clip } from '@/components/portability/imports/sources/read-clips';

/** What a clip seems to be a copy of. */
export interface Duplicate {
  /** `journal`: of an entry. `chosen`: of another clip. */
  of: 'journal' | 'chosen';
  title: string;
  /** `YYYY-MM-DD`; null if the clip has none. */
  date: string | null;
  /** Whether all bytes are the same. Otherwise, they have the same size, length, and start. */
  isSame: boolean;
}

/** Clips that the user has to look at first. */
export interface ClipReview {
  kind: ImportKind;
  handles: readonly KeptHandle[];
  clips: readonly Clip[];
  /** By the clip's id. */
  duplicates: ReadonlyMap<string, Duplicate>;
  /** Why a clip can't be imported, by its id. */
  problems: ReadonlyMap<string, string>;
  /** Files that look like videos and can't be read. */
  refused: readonly { path: string; reason: string }[];
  /** Day One's entries without a video. */
  withoutVideo: number;
  usage: PlanUsage;
}
