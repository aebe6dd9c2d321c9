import { expect, it } from 'vitest';
import { isSpeechScript, namedFiles } from './shell-cache';

it('finds the files that a page, a script, and a style name', () => {
  const page = '<script src="/_next/static/chunks/0a-b_c.js"></script>[\\"/_next/static/chunks/ab.css\\"]';
  expect(namedFiles(page)).toEqual(['/_next/static/chunks/0a-b_c.js', '/_next/static/chunks/ab.css']);
  const script = 'Promise.all(["static/chunks/1x.js","static/chunks/2y.css"].map(t=>e.l(t)))';
  expect(namedFiles(script)).toEqual(['/_next/static/chunks/1x.js', '/_next/static/chunks/2y.css']);
  const style = '@font-face{src:url(../media/figtree-s.p.08sr.woff2)format("woff2")}';
  expect(namedFiles(style)).toEqual(['/_next/static/media/figtree-s.p.08sr.woff2']);
  expect(namedFiles('/api/v1/entries /_next/data/a.json static/chunks/../../secret.js')).toEqual([]);
});

it('tells scripts that recognize speech from models, which cache themselves', () => {
  expect(isSpeechScript('/speech/0fc372db7f92ae14/worker.js')).toBe(true);
  expect(isSpeechScript('/speech/models/02ffea996ee62bec-soundswallower.wasm')).toBe(false);
});
