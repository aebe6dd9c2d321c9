import { beginMultipart, completeMultipart, putPart, type StoredPart } from './multipart';

/** The smallest that S3 accepts is 5 MiB. R2 wants all but the last one to be equal. */
const PART_BYTES = 8 * 1024 * 1024;

/** Writes an object from beginning to end, in parts, with at most one of them in memory. */
export class ObjectWriter {
  readonly #upload: { key: string; multipartId: string };
  readonly #signal: AbortSignal | undefined;
  readonly #sent: StoredPart[] = [];
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  private constructor(upload: { key: string; multipartId: string }, signal?: AbortSignal) {
    this.#upload = upload;
    this.#signal = signal;
  }

  /** Starts a new object. It appears once it's closed. */
  static async open(key: string, contentType: string, signal?: AbortSignal): Promise<ObjectWriter> {
    return new ObjectWriter({ key, multipartId: await beginMultipart(key, contentType) }, signal);
  }

  async write(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    while (this.#waitingBytes >= PART_BYTES) await this.#sendPart(PART_BYTES);
  }

  /** Sends what's left, and makes the object appear. */
  async close(): Promise<void> {
    if (this.#waitingBytes > 0) await this.#sendPart(this.#waitingBytes);
    await completeMultipart(this.#upload.key, this.#upload.multipartId, this.#sent);
  }

  async #sendPart(bytes: number): Promise<void> {
    const all = Buffer.concat(this.#waiting);
    this.#waiting = all.length > bytes ? [all.subarray(bytes)] : [];
    this.#waitingBytes = all.length - bytes;
    this.#sent.push(await putPart(this.#upload, this.#sent.length + 1, all.subarray(0, bytes), this.#signal));
  }
}
