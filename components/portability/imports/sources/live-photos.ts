import { findTimeInName } from '@/components/capture/uploads/video-file/date-in-path';
import type { VideoHeader } from '@/components/capture/uploads/video-file/video-header';
import type { SourceFile } from './source-file';
import { exportFolderOf } from './takeout';

/** The photos among files, by folder and name. */
export type PhotoIndex = ReadonlySet<string>;

const PHOTO = /\.(?:heic|heif|jpe?g)$/i;
/** iPhones record a second and a half before and after the photo (support.apple.com/104966), and Android's phones no more. */
const MAX_SECONDS = 4;

const key = (file: SourceFile, name: string) => `${exportFolderOf(file)}/${name}`.toLowerCase();

/** Indexes the photos that a video may belong to. Nothing is read. */
export const indexPhotos = (files: readonly SourceFile[]): PhotoIndex =>
  new Set(files.flatMap((file) => (PHOTO.test(file.name) ? [key(file, file.name.replace(PHOTO, ''))] : [])));

/**
 * Returns whether a photo has a video's name: IMG_1.HEIC and IMG_1.MOV, PXL_1.MP.jpg and PXL_1.MP, or IMG_1_HEVC.MOV, as
 * downloads from iCloud have it. A date alone says nothing, since people name photos and clips of a day by it.
 */
export function hasPhoto(photos: PhotoIndex, file: SourceFile): boolean {
  const found = findTimeInName(file.name);
  if (found && 'local' in found.time && found.time.local.seconds === null) return false;
  const base = file.name.replace(/\.[^.]*$/, '');
  return [base, file.name, base.replace(/_HEVC$/i, '')].some((name) => photos.has(key(file, name)));
}

/**
 * Returns whether a video is part of a Live Photo or a motion photo: short and with a photo of its name, or with the
 * identifier that links it to a photo, and with something else that speaks for it.
 * @param isPaired whether there's a photo of its name
 */
export function isLivePhoto(
  { livePhoto: { hasIdentifier, hasStillTime }, seconds }: Pick<VideoHeader, 'livePhoto' | 'seconds'>,
  isPaired: boolean,
): boolean {
  const isShort = seconds !== null && seconds <= MAX_SECONDS;
  if (isPaired) return hasIdentifier || isShort;
  return hasIdentifier && (hasStillTime || isShort);
}
