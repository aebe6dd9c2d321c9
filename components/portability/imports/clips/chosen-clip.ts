import type { Clip } from '@/components/portability/imports/sources/read-clips';

/** What a person decided about a clip. */
export interface ClipValues {
  title: string;
  /** Whether the title is only a day, which the first words said replace once they're known. */
  titleFromWords: boolean;
  /** `YYYY-MM-DD` */
  date: string;
  /** Names. */
  tags: readonly string[];
}

/** A clip that's going to be imported. */
export interface ChosenClip {
  clip: Clip;
  values: ClipValues;
}
