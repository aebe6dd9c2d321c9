import type { Download } from '@/lib/video/downloads/contract';

/**
 * Returns whether this is an app on the home screen of an iPhone or iPad. A link can't save a file there: WebKit opens
 * it in place of the page, with no way back.
 */
export const isHomeScreenApp = (): boolean =>
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

/** Has the browser save a file, without leaving the page. */
export function saveFile({ url, fileName }: Pick<Download, 'url' | 'fileName'>): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

/**
 * Opens the share sheet for a small file. Does nothing if the user closes it.
 * @throws Error if the file can't be loaded or shared
 */
export async function shareFile({ url, fileName }: Download): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the file answered ${response.status}`);
  const blob = await response.blob();
  try {
    await navigator.share({ files: [new File([blob], fileName, { type: blob.type })] });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
