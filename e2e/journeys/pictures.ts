import type { Page } from '@playwright/test';

/** A picture's color in each field of a grid, as red, green, and blue from 0 to 255. */
export type Fields = number[];

const COLUMNS = 56;
const ROWS = 32;

/** Turns a PNG into a WebP. Chromium can, so no other encoder is needed. */
export async function toWebp(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ([source, share]) => {
      const image = await createImageBitmap(
        new Blob([Uint8Array.from(atob(source), (one) => one.charCodeAt(0))]),
      );
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: share });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    },
    [png.toString('base64'), quality] as const,
  );
  return Buffer.from(encoded, 'latin1');
}

/** Returns a picture's size, and its colors in a grid that's too coarse to tell how a machine draws the edges of letters. */
export async function lookAt(
  page: Page,
  bytes: Buffer,
): Promise<{ width: number; height: number; fields: Fields }> {
  return page.evaluate(
    async ([source, columns, rows]) => {
      const image = await createImageBitmap(
        new Blob([Uint8Array.from(atob(source), (one) => one.charCodeAt(0))]),
      );
      const { width, height } = image;
      const canvas = new OffscreenCanvas(columns, rows);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, columns, rows);
      const { data } = context.getImageData(0, 0, columns, rows);
      return { width, height, fields: Array.from(data).filter((_, index) => index % 4 !== 3) };
    },
    [bytes.toString('base64'), COLUMNS, ROWS] as const,
  );
}

/** Returns the share of fields in which two pictures differ visibly. */
export function difference(one: Fields, other: Fields): number {
  const isOff = (value: number, index: number) => Math.abs(value - (other[index] ?? 0)) > 24;
  return one.filter(isOff).length / one.length;
}
