import type { MetadataRoute } from 'next';

export default function manifest(): MetadataRoute.Manifest {
  return {
    name: 'Daylight',
    short_name: 'Daylight',
    description: 'A private video journal.',
    start_url: '/',
    display: 'standalone',
    background_color: '#f8faf8',
    theme_color: '#f8faf8',
    icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
    shortcuts: [{ name: 'New entry', url: '/upload' }],
  };
}
