import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, syncFolder } from '../durable-files';
import type { Blob } from './blobs';
import { S3Error } from './errors';
import { keyedLock } from './keyed-lock';

/** An uploaded part. `etag` has no quotes. */
export type Part = {
  number: number;
  etag: string;
  size: number;
  blob: Blob;
};

/** A multipart upload in progress: what the object will be. */
export type Upload = {
  id: string;
  key: string;
  initiated: string;
  headers: Record<string, string>;
};

export type Uploads = {
  create(upload: Omit<Upload, 'id' | 'initiated'>): Promise<Upload>;
  /** Throws NoSuchUpload if the key has no upload with this id. */
  get(id: string, key: string): Upload;
  parts(id: string): ReadonlyMap<number, Part>;
  list(): Upload[];
  /** Records a part, replacing one with the same number. The upload owns the blob from then on. */
  addPart(id: string, key: string, part: Part): Promise<void>;
  abort(id: string, key: string): Promise<void>;
  /** Runs `publish` while parts can't change, then deletes the upload and the blobs that weren't published. */
  complete(
    id: string,
    key: string,
    publish: (upload: Upload, parts: ReadonlyMap<number, Part>) => Promise<readonly Blob[]>,
  ): Promise<void>;
  blobs(): Blob[];
};

type OpenUpload = { upload: Upload; parts: Map<number, Part> };

/**
 * Opens `uploads/` of a bucket: a folder per upload with `upload.json` and one record per part. `isCompleted` says
 * whether an object was made of an upload by a process that was killed before it could delete the upload. Such an
 * upload is deleted here, and its parts stay with the object.
 */
export async function openUploads(
  folder: string,
  {
    temporary,
    isCompleted,
    discard,
  }: {
    temporary: string;
    isCompleted: (id: string) => boolean;
    discard: (blobs: readonly Blob[]) => Promise<void>;
  },
): Promise<Uploads> {
  await mkdir(folder, { recursive: true });
  const exclusively = keyedLock();
  const open = new Map<string, OpenUpload>();
  for (const id of await readdir(folder)) {
    const found = isCompleted(id) ? undefined : await loadUpload(join(folder, id));
    if (found) open.set(id, found);
    else await rm(join(folder, id), { recursive: true, force: true });
  }

  function find(id: string, key: string): OpenUpload {
    const found = open.get(id);
    if (!found || found.upload.key !== key) throw new S3Error('NoSuchUpload');
    return found;
  }

  async function forget(id: string): Promise<void> {
    open.delete(id);
    // Without upload.json the rest is ignored, so a kill between the two removals is harmless.
    await rm(join(folder, id, 'upload.json'), { force: true });
    await rm(join(folder, id), { recursive: true, force: true });
    await syncFolder(folder);
  }

  return {
    async create(wanted) {
      const upload = { ...wanted, id: randomUUID().replaceAll('-', ''), initiated: new Date().toISOString() };
      const uploadFolder = join(folder, upload.id);
      await mkdir(uploadFolder);
      try {
        await replaceFile(temporary, join(uploadFolder, 'upload.json'), JSON.stringify(upload));
      } catch (error) {
        await rm(uploadFolder, { recursive: true, force: true });
        throw error;
      }
      await syncFolder(uploadFolder);
      await syncFolder(folder);
      open.set(upload.id, { upload, parts: new Map() });
      return upload;
    },

    get: (id, key) => find(id, key).upload,
    parts: (id) => open.get(id)?.parts ?? new Map(),
    list: () => [...open.values()].map(({ upload }) => upload),

    async addPart(id, key, part) {
      await exclusively(id, async () => {
        const uploadFolder = join(folder, id);
        try {
          find(id, key);
          await replaceFile(temporary, join(uploadFolder, `${part.number}.json`), JSON.stringify(part));
        } catch (error) {
          await discard([part.blob]);
          throw error;
        }
        const { parts } = find(id, key);
        const previous = parts.get(part.number);
        parts.set(part.number, part);
        await syncFolder(uploadFolder);
        if (previous) await discard([previous.blob]);
      });
    },

    async abort(id, key) {
      await exclusively(id, async () => {
        const { parts } = find(id, key);
        await forget(id);
        await discard([...parts.values()].map((part) => part.blob));
      });
    },

    async complete(id, key, publish) {
      await exclusively(id, async () => {
        const { upload, parts } = find(id, key);
        const published = new Set((await publish(upload, parts)).map((blob) => blob.name));
        await forget(id);
        await discard(
          [...parts.values()].map((part) => part.blob).filter((blob) => !published.has(blob.name)),
        );
      });
    },

    blobs: () => [...open.values()].flatMap(({ parts }) => [...parts.values()].map((part) => part.blob)),
  };
}

/** Returns undefined for a folder that was only partly created. */
async function loadUpload(uploadFolder: string): Promise<OpenUpload | undefined> {
  const names = await readdir(uploadFolder);
  if (!names.includes('upload.json')) return undefined;
  const parts = new Map<number, Part>();
  for (const name of names.filter((name) => name !== 'upload.json')) {
    const part = JSON.parse(await readFile(join(uploadFolder, name), 'utf8')) as Part;
    parts.set(part.number, part);
  }
  const upload = JSON.parse(await readFile(join(uploadFolder, 'upload.json'), 'utf8')) as Upload;
  return { upload, parts };
}
