import { XMLParser } from 'fast-xml-parser';
import { S3Error } from './errors';

export type XmlNode = { name: string; content: string | XmlNode[] };

export function element(name: string, content: string | number | boolean | XmlNode[]): XmlNode {
  return { name, content: Array.isArray(content) ? content : String(content) };
}

// Control characters are written as references, as S3 does, because parsers read a raw CR as LF.
const UNSAFE = /[&<>"]|\p{Cc}/gu;
const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return text.replace(UNSAFE, (char) => NAMED[char] ?? `&#${char.charCodeAt(0)};`);
}

function render({ name, content }: XmlNode, attributes = ''): string {
  const inner =
    typeof content === 'string' ? escapeText(content) : content.map((node) => render(node)).join('');
  return `<${name}${attributes}>${inner}</${name}>`;
}

/** Renders a whole document. Results have a namespace and errors don't, as in S3's responses. */
export function renderDocument(root: XmlNode): string {
  const namespace = root.name === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root, namespace)}`;
}

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  isArray: (name) => name === 'Object' || name === 'Part',
});

const XML_LIMIT_BYTES = 2 * 1024 * 1024;

/** Reads a request's XML (at most 2 MiB) and returns the content of its root element. */
export async function readXml(body: AsyncIterable<Buffer>, root: string): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > XML_LIMIT_BYTES) throw new S3Error('MaxMessageLengthExceeded');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.includes('<!DOCTYPE')) throw new S3Error('MalformedXML');
  let content: unknown;
  try {
    content = (parser.parse(text, true) as Record<string, unknown>)[root];
  } catch {
    throw new S3Error('MalformedXML');
  }
  if (content === null || typeof content !== 'object') throw new S3Error('MalformedXML');
  return content as Record<string, unknown>;
}
