import type { Theme } from '@/lib/account/preferences/contract';
import { ENTRY_PICTURES } from './pictures';

/** When the dark picture is shown: as the device is set, unless a theme was chosen in this browser. */
const DARK_MEDIA: Record<Theme, string> = {
  system: '(prefers-color-scheme: dark)',
  light: '(width < 0px)',
  dark: '(width >= 0px)',
};

/** A picture of the sample entry's page, taken of the running site: wide or for phones, light or dark. */
export function SampleEntryPicture({ theme }: { theme: Theme }) {
  const { wide, narrow } = ENTRY_PICTURES;
  const dark = DARK_MEDIA[theme];
  const phone = '(max-width: 639px)';
  return (
    <picture>
      <source
        media={`${phone} and ${dark}`}
        srcSet={`/pictures/${narrow.name}-dark.webp`}
        width={narrow.width}
        height={narrow.height}
      />
      <source
        media={phone}
        srcSet={`/pictures/${narrow.name}-light.webp`}
        width={narrow.width}
        height={narrow.height}
      />
      <source
        media={dark}
        srcSet={`/pictures/${wide.name}-dark.webp`}
        width={wide.width}
        height={wide.height}
      />
      <img
        src={`/pictures/${wide.name}-light.webp`}
        width={wide.width}
        height={wide.height}
        loading="lazy"
        alt="An entry in Daylight: the video, its tags, and every word of it with its time. The word that’s being said is marked."
        className="block h-auto w-full"
      />
    </picture>
  );
}
