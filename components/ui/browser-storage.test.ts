import { afterEach, expect, it, vi } from 'vitest';
import { getSavedDevices } from '@/components/capture/recorder/devices';
import { readSavedTags } from '@/components/journal/tags/saved-tags';
import { getAccountValue, parseSaved } from './browser-storage';

/** Gives the page a storage that holds these values. */
const stubStorage = (values: Record<string, string>) =>
  vi.stubGlobal('localStorage', { getItem: (key: string) => values[key] ?? null });

afterEach(() => vi.unstubAllGlobals());

it.each(['{', '', 'undefined', '[1,'])('reads the damaged value %j as none', (text) => {
  expect(parseSaved(text)).toBeNull();
});

it('reads an account’s damaged value as none, and one that’s whole', () => {
  const whole = JSON.stringify({ savedAt: Date.now(), value: '[]' });
  stubStorage({ 'daylight:ada:tags': '{', 'daylight:bob:tags': whole });
  expect(getAccountValue('ada', 'tags')).toBeNull();
  expect(readSavedTags('ada')).toBeNull();
  expect(readSavedTags('bob')).toEqual([]);
});

it('opens the default devices where the saved ones are damaged', () => {
  vi.stubGlobal('localStorage', { getItem: () => '{"camera":' });
  expect(getSavedDevices()).toEqual({ camera: '', microphone: '', facing: 'user' });
});
