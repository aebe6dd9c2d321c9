import type { MetadataRoute } from 'next';
import { SHARE_PATH } from '@/lib/foundation/http/share-target';

type Manifest = MetadataRoute.Manifest;

const icon = (name: string, size: number) => ({
  src: `/icons/${name}-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
});

/** What app stores and install dialogs show, taken of the demo journal. */
const SCREENSHOTS: Manifest['screenshots'] = [
  { name: 'narrow-dashboard', label: 'Your journal at a glance', sizes: '780x1688' },
  { name: 'narrow-entry', label: 'An entry, with tags and notes', sizes: '780x1688' },
  { name: 'narrow-studio', label: 'A question to answer, and one button to record', sizes: '780x1688' },
  { name: 'wide-entry', label: 'An entry, with its transcript', sizes: '1280x800' },
  { name: 'wide-journal', label: 'All entries, by month and tag', sizes: '1280x800' },
].map(({ name, ...rest }) => ({
  ...rest,
  src: `/screenshots/${name}.webp`,
  type: 'image/webp',
  form_factor: name.startsWith('wide') ? 'wide' : 'narrow',
}));

/** Describes Daylight as an app that can be installed, and that other apps can share videos to. */
export default function manifest(): Manifest {
  return {
    id: '/',
    name: 'Daylight',
    short_name: 'Daylight',
    description: 'A private video journal. Record your day, read every word, and find any moment again.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: 'en',
    dir: 'ltr',
    categories: ['lifestyle', 'productivity'],
    background_color: '#f8faf8',
    theme_color: '#f8faf8',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      ...[192, 512].map((size) => icon('icon', size)),
      ...[192, 512].map((size) => ({ ...icon('maskable', size), purpose: 'maskable' as const })),
    ],
    screenshots: SCREENSHOTS,
    shortcuts: [
      { name: 'Record', url: '/upload', icons: [icon('record', 96)] },
      { name: 'Journal', url: '/journals', icons: [icon('icon', 192)] },
    ],
    share_target: {
      action: SHARE_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', files: [{ name: 'video', accept: ['video/*'] }] },
    },
  };
}
