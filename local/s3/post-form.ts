import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { S3Error } from './errors';

/** What came before the file, under lower-case names, and the file's bytes. */
export type PostForm = {
  fields: ReadonlyMap<string, string>;
  /** Ends only when the whole form has been read and was well formed. */
  file: AsyncIterable<Buffer>;
};

const MAX_PRE_FILE_BYTES = 20 * 1024;
const MAX_FIELDS = 100;

/**
 * Reads a multipart/form-data request up to its file and passes that to `use`. Ignores fields after the file, as S3
 * does. Leaves the request readable, so that the rest can be drained after a refusal.
 */
export function readForm<T>(request: IncomingMessage, use: (form: PostForm) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        defParamCharset: 'utf8',
        limits: { fieldSize: MAX_PRE_FILE_BYTES, fields: MAX_FIELDS, files: 1, headerPairs: 20 },
      });
    } catch {
      reject(new S3Error('MalformedPOSTRequest'));
      return;
    }
    const fields = new Map<string, string>();
    let preFileBytes = 0;
    let using = false;
    let settleEnd: { resolve: () => void; reject: (error: Error) => void } | undefined;
    const end = new Promise<void>((resolveEnd, rejectEnd) => {
      settleEnd = { resolve: resolveEnd, reject: rejectEnd };
    });
    end.catch(() => undefined);

    const finish = () => {
      request.unpipe(parser);
      request.off('close', onClose);
    };
    const refuse = (error: S3Error) => {
      finish();
      settleEnd?.reject(error);
      if (!using) reject(error);
      parser.destroy(error);
    };
    const onClose = () => {
      if (!request.complete) refuse(new S3Error('IncompleteBody'));
    };
    request.on('close', onClose);

    parser.on('field', (name, value, info) => {
      if (using) return;
      preFileBytes += name.length + value.length;
      const field = name.toLowerCase();
      if (info.nameTruncated || info.valueTruncated || preFileBytes > MAX_PRE_FILE_BYTES) {
        refuse(new S3Error('MaxPostPreDataLengthExceeded'));
      } else if (fields.has(field)) {
        refuse(new S3Error('InvalidArgument', `The field ${name} was given twice.`));
      } else {
        fields.set(field, value);
      }
    });
    parser.on('fieldsLimit', () => {
      if (!using) refuse(new S3Error('MaxPostPreDataLengthExceeded'));
    });
    parser.on('file', (name, stream) => {
      // Its failure is reported through `end`; an unhandled one would end the process.
      stream.on('error', () => undefined);
      if (name !== 'file') {
        refuse(new S3Error('InvalidArgument', 'The file must be in the field named file.'));
        return;
      }
      using = true;
      use({ fields, file: fileBytes(stream, end) })
        .then(resolve, reject)
        .finally(finish);
    });
    parser.on('error', () => refuse(new S3Error('MalformedPOSTRequest')));
    parser.on('close', () => {
      settleEnd?.resolve();
      if (!using) {
        reject(new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.'));
      }
    });
    request.pipe(parser);
  });
}

async function* fileBytes(stream: Readable, end: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    // The form's failure says more than that of the stream it ended.
    await end;
    throw error;
  }
  await end;
}
