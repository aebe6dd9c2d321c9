import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

/** Remembers how fast this device uploads, to estimate how long more will take. @param bytesPerSecond null if unknown */
export function rememberUploadSpeed(bytesPerSecond: number | null): void {
  if (bytesPerSecond !== null) setDeviceSetting('daylight-upload-speed', String(Math.round(bytesPerSecond)));
}

/** Returns how many seconds an upload would take at the speed of the last one; null if there was none. */
export function estimateUploadSeconds(bytes: number): number | null {
  const speed = Number(getDeviceSetting('daylight-upload-speed'));
  return speed > 0 ? bytes / speed : null;
}
