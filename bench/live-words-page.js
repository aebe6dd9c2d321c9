/**
 * What `words` adds to the studio's page: remembers what it records and what its captions say. Plain JavaScript, since
 * it is sent as it is.
 */
const watched = { since: 0, slices: [], shown: [] };

const start = MediaRecorder.prototype.start;
MediaRecorder.prototype.start = function (slice) {
  this.addEventListener('dataavailable', ({ data }) => watched.slices.push(data));
  start.call(this, slice);
  watched.since = performance.now();
};

const note = () => {
  const text = document.querySelector('[aria-label="Words as you speak"]')?.textContent ?? '';
  if (watched.shown.at(-1)?.text !== text) watched.shown.push({ at: performance.now(), text });
};
new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });

const asPromise = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** What was said, from the recording on this device, and what was on screen when, in seconds of the recording. */
globalThis.readWords = async () => {
  const database = await asPromise(indexedDB.open('daylight-words'));
  const [stored] = await asPromise(database.transaction('words').objectStore('words').getAll());
  const screens = watched.shown.map(({ at, text }) => ({ second: (at - watched.since) / 1000, text }));
  return { words: stored?.draft.words ?? [], screens };
};

/** The recording in base64. */
globalThis.readRecording = async () => {
  const reader = new FileReader();
  const read = new Promise((resolve) => {
    reader.onload = resolve;
  });
  reader.readAsDataURL(new Blob(watched.slices));
  await read;
  return reader.result.split(',')[1];
};
