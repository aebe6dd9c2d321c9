import { expect, it } from 'vitest';
import type { KeptHandle } from './chosen-files';
import { readHandles } from './chosen-files';

const unreadable = () => Promise.reject(new DOMException('', 'NotReadableError'));

const fileHandle = (name: string, getFile = async () => new File(['x'], name)) =>
  ({ kind: 'file', name, getFile }) as KeptHandle;

const folderHandle = (name: string, inner: KeptHandle[], isReadable = true) => {
  async function* values() {
    yield* inner;
    if (!isReadable) await unreadable();
  }
  return { kind: 'directory', name, values } as unknown as KeptHandle;
};

it('lists what a folder has, and tells what in it can’t be read', async () => {
  const folder = folderHandle('Clips', [
    fileHandle('lake.mp4'),
    fileHandle('gone.mp4', unreadable),
    folderHandle('Locked', [], false),
    folderHandle('2019', [fileHandle('trip.mp4')]),
  ]);
  const { name, files, unreadable: told } = await readHandles([folder]);
  expect([name, files.map(({ path }) => path)]).toEqual(['Clips', ['Clips/lake.mp4', 'Clips/2019/trip.mp4']]);
  expect(told).toEqual(['Clips/gone.mp4', 'Clips/Locked']);
});

it('fails if what was chosen itself can’t be read', async () => {
  await expect(readHandles([folderHandle('Locked', [], false)])).rejects.toBeInstanceOf(DOMException);
  await expect(readHandles([fileHandle('gone.mp4', unreadable)])).rejects.toBeInstanceOf(DOMException);
});
