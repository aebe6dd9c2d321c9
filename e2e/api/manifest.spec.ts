import type { MetadataRoute } from 'next';
import { expect, test } from '@/e2e/fixtures';

interface Picture {
  src: string;
  sizes: string;
  type: string;
}

/** Reads a picture's size from its header. @returns as manifests write it, such as `192x192` */
function sizeOf(bytes: Buffer, type: string): string {
  if (type === 'image/png' && bytes.toString('latin1', 1, 4) === 'PNG')
    return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
  // A lossy WebP: RIFF, then the frame's header.
  if (type === 'image/webp' && bytes.toString('latin1', 12, 16) === 'VP8 ')
    return `${bytes.readUInt16LE(26) & 0x3fff}x${bytes.readUInt16LE(28) & 0x3fff}`;
  if (type === 'image/svg+xml' && bytes.toString().startsWith('<svg')) return 'any';
  return 'unknown';
}

test('the app can be installed, and every picture of its manifest is what it says, without a session', async ({
  anonymous,
}) => {
  const answer = await anonymous.send('GET', '/manifest.webmanifest');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/manifest+json']);
  const manifest = (await answer.json()) as MetadataRoute.Manifest;
  const { icons = [], screenshots = [], shortcuts = [] } = manifest;
  const pictures = [icons, screenshots, ...shortcuts.map((shortcut) => shortcut.icons ?? [])].flat();
  expect([icons.length, screenshots.length, pictures.length]).toEqual([5, 5, 12]);
  let screenshotBytes = 0;
  for (const { src, sizes, type } of pictures as Picture[]) {
    const picture = await anonymous.send('GET', src);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([src, picture.status, picture.headers.get('content-type'), sizeOf(bytes, type)]).toEqual([
      src,
      200,
      type,
      sizes,
    ]);
    if (src.startsWith('/screenshots/')) screenshotBytes += bytes.length;
    if (!src.endsWith('.svg')) expect(picture.headers.get('cache-control')).toBe('public, max-age=86400');
  }
  expect(screenshotBytes).toBeLessThan(600_000);
  // What Chromium asks for, and what Android cuts into its own shape.
  const kinds = icons.map(({ sizes, purpose = 'any' }) => `${purpose} ${sizes}`);
  expect(kinds).toEqual(expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']));
  expect(screenshots.map(({ form_factor }) => form_factor)).toEqual(
    expect.arrayContaining(['narrow', 'wide']),
  );
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' });
});

test('pages name the icons, and the one for home screens of iPhones has the size that those ask for', async ({
  anonymous,
}) => {
  const page = await (await anonymous.send('GET', '/login')).text();
  const hrefOf = (rel: string) => new RegExp(`<link rel="${rel}"[^>]* href="([^"]+)"`).exec(page)?.[1];
  expect(hrefOf('manifest')).toBe('/manifest.webmanifest');
  expect(hrefOf('icon')).toMatch(/^\/icon\.svg/);
  const apple = await anonymous.send('GET', hrefOf('apple-touch-icon') ?? '');
  expect(sizeOf(Buffer.from(await apple.arrayBuffer()), 'image/png')).toBe('180x180');
});
