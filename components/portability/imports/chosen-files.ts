/** What Chromium adds to a handle, so that a file or a folder can be read again after a reload. */
interface Permission {
  requestPermission?(): Promise<PermissionState>;
}

export type KeptHandle = (FileSystemFileHandle | FileSystemDirectoryHandle) & Permission;

/** A file and its path from the folder that was chosen, with `/`; just its name if no folder was. */
interface ChosenFile {
  file: File;
  path: string;
}

/** What a person has chosen, in a picker or by dropping it. */
export interface ChosenFiles {
  /** The name of the only file or folder, or how many there are. */
  name: string;
  files: readonly ChosenFile[];
  /** The paths of files and folders inside the chosen ones that can't be read. */
  unreadable: readonly string[];
  /** With them, the files can be read again after a reload. Only Chromium has them. */
  handles: readonly KeptHandle[];
}

declare global {
  interface Window {
    showOpenFilePicker?(options: { multiple?: boolean }): Promise<FileSystemFileHandle[]>;
    showDirectoryPicker?(): Promise<FileSystemDirectoryHandle>;
  }
  interface FileSystemDirectoryHandle {
    values(): AsyncIterableIterator<FileSystemFileHandle | FileSystemDirectoryHandle>;
  }
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemFileHandle | FileSystemDirectoryHandle | null>;
  }
}

/** More files than the largest plan has entries, with photos and sidecars beside them. */
const MAX_FILES = 200_000;

/** Names what was chosen, within what the server takes. */
const nameOf = (names: readonly string[]): string => {
  const [name = ''] = names.length === 1 ? names : [`${names.length.toLocaleString('en-US')} files`];
  return name.replace(/\p{C}/gu, '').slice(0, 255) || 'Files';
};

/** What has been listed so far. */
interface Listed {
  files: ChosenFile[];
  unreadable: string[];
}

/** Lists something in a chosen folder. If it can't be read, the rest still can. */
async function tryToAdd({ unreadable }: Listed, path: string, add: () => Promise<void>): Promise<void> {
  try {
    await add();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    unreadable.push(path);
  }
}

async function addHandle(listed: Listed, handle: KeptHandle, path: string): Promise<void> {
  if (listed.files.length >= MAX_FILES) return;
  if (handle.kind === 'file') listed.files.push({ file: await handle.getFile(), path });
  else {
    for await (const inner of handle.values()) {
      const innerPath = `${path}/${inner.name}`;
      await tryToAdd(listed, innerPath, () => addHandle(listed, inner, innerPath));
    }
  }
}

/**
 * Reads the files of handles, and of the folders among them.
 * @throws DOMException if one of them can't be read
 */
export async function readHandles(handles: readonly KeptHandle[]): Promise<ChosenFiles> {
  const listed: Listed = { files: [], unreadable: [] };
  for (const handle of handles) await addHandle(listed, handle, handle.name);
  return { name: nameOf(handles.map(({ name }) => name)), ...listed, handles };
}

/** Returns what an input has, which may be the files of a folder. */
export function readInput({ files: list, webkitdirectory }: HTMLInputElement): ChosenFiles {
  const files = [...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  const [folder = ''] = files[0]?.path.split('/') ?? [];
  return {
    name: webkitdirectory ? nameOf([folder]) : nameOf(files.map(({ file }) => file.name)),
    files,
    unreadable: [],
    handles: [],
  };
}

/** The part of a dropped folder's entry that's read here. */
const readEntries = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));

const pathOf = ({ fullPath }: FileSystemEntry) => fullPath.replace(/^\//, '');

async function addEntry(listed: Listed, entry: FileSystemEntry): Promise<void> {
  const { files } = listed;
  if (files.length >= MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    files.push({ file, path: pathOf(entry) });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // Chromium returns a hundred at a time.
  for (let some = await readEntries(reader); some.length > 0; some = await readEntries(reader)) {
    for (const inner of some) await tryToAdd(listed, pathOf(inner), () => addEntry(listed, inner));
  }
}

/**
 * Reads what was dropped. Must be called before the drop event ends, since its items are gone after that.
 * @throws DOMException if one of what was dropped can't be read
 */
export async function readDrop({ items }: DataTransfer): Promise<ChosenFiles> {
  const dropped = [...items].filter(({ kind }) => kind === 'file');
  const entries = dropped.map((item) => item.webkitGetAsEntry());
  const wanted = dropped.map((item) => item.getAsFileSystemHandle?.().catch(() => null) ?? null);
  const handles = await Promise.all(wanted);
  if (handles.every((handle) => handle !== null)) return readHandles(handles);
  const listed: Listed = { files: [], unreadable: [] };
  for (const entry of entries) if (entry) await addEntry(listed, entry);
  return { name: nameOf(entries.flatMap((entry) => entry?.name ?? [])), ...listed, handles: [] };
}
