import { attachment } from './content-disposition';

/** A text file to save. */
export interface TextFile {
  fileName: string;
  /** Without a charset, which is UTF-8. */
  contentType: string;
  /** All of it, or its parts in order, each made when the client is ready for it. */
  text: string | AsyncGenerator<string>;
}

/** Responds with a file that browsers save instead of showing it. */
export function fileResponse({ fileName, contentType, text }: TextFile): Response {
  return new Response(typeof text === 'string' ? text : toStream(text), {
    headers: {
      'content-type': `${contentType}; charset=utf-8`,
      'content-disposition': attachment(fileName),
    },
  });
}

function toStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  };
  // Without one, the first part would be made before anyone reads it.
  return new ReadableStream(source, { highWaterMark: 0 });
}
