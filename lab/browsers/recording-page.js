/**
 * The page that `recording-loss.ts` measures: records as the studio does, in any format, and keeps every slice in IndexedDB
 * and in a file of its own in OPFS. Plain JavaScript, since it is served as it is.
 */
const DATABASE = 'recording';

const asPromise = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function database() {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('slices');
  return asPromise(opening);
}

async function intoDatabase(db, index, slice) {
  const transaction = db.transaction('slices', 'readwrite', { durability: 'strict' });
  transaction.objectStore('slices').put(slice, index);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

async function intoFile(folder, index, slice) {
  const handle = await folder.getFileHandle(String(index).padStart(6, '0'), { create: true });
  const stream = await handle.createWritable();
  await stream.write(slice);
  await stream.close();
}

/** Records until it is killed. @returns when the recorder was started, in milliseconds of Date.now() */
globalThis.record = async ({ mimeType, slice, keyFrames }) => {
  const db = await database();
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('slices', { create: true });
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { width: { ideal: 1280 }, height: { ideal: 720 } },
    audio: { echoCancellation: true, noiseSuppression: true },
  });
  const options = keyFrames ? { mimeType, videoKeyFrameIntervalDuration: keyFrames } : { mimeType };
  const recorder = new MediaRecorder(stream, options);
  let index = 0;
  let [inDatabase, inFiles] = [Promise.resolve(), Promise.resolve()];
  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return;
    const number = index++;
    inDatabase = inDatabase.then(() => intoDatabase(db, number, data));
    inFiles = inFiles.then(() => intoFile(folder, number, data));
  };
  recorder.start(slice);
  return Date.now();
};

/** Sends what each store has kept to an address with its name. */
globalThis.recover = async () => {
  const db = await database();
  const fromDatabase = await asPromise(db.transaction('slices').objectStore('slices').getAll());
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('slices', { create: true });
  const handles = [];
  for await (const handle of folder.values()) {
    // A writable that was never closed leaves its own file beside the real one.
    if (!handle.name.endsWith('.crswap')) handles.push(handle);
  }
  handles.sort((a, b) => a.name.localeCompare(b.name));
  const fromFiles = await Promise.all(handles.map((handle) => handle.getFile()));
  await fetch('/IndexedDB', { method: 'PUT', body: new Blob(fromDatabase) });
  await fetch('/OPFS', { method: 'PUT', body: new Blob(fromFiles) });
};
