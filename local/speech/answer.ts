import type { SpokenWord, Transcript } from './engine';

/** Formats of OpenAI's `response_format`; `json` is the default. */
export const responseFormats = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const;
export type ResponseFormat = (typeof responseFormats)[number];
export type Granularity = 'word' | 'segment';

/** A transcript as OpenAI words it: content type and body. Without granularities, segments only. */
export function formatTranscript(
  transcript: Transcript,
  format: ResponseFormat,
  granularities: Granularity[],
): { contentType: string; body: string } {
  const text = textOf(transcript.segments.flatMap(({ words }) => words));
  switch (format) {
    case 'json':
      return { contentType: 'application/json', body: JSON.stringify({ text }) };
    case 'verbose_json':
      return {
        contentType: 'application/json',
        body: JSON.stringify(verbose(transcript, text, granularities)),
      };
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${text}\n` };
    case 'srt':
      return { contentType: 'application/x-subrip; charset=utf-8', body: captions(transcript, ',', true) };
    case 'vtt':
      return {
        contentType: 'text/vtt; charset=utf-8',
        body: `WEBVTT\n\n${captions(transcript, '.', false)}`,
      };
  }
}

/** An error as OpenAI words it. */
export function formatError(
  status: number,
  message: string,
  param: string | null,
  code: string | null,
): string {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return JSON.stringify({ error: { message, type, param, code } });
}

function textOf(words: SpokenWord[]): string {
  return words.map(({ word }) => word).join(' ');
}

function verbose({ language, duration, segments }: Transcript, text: string, granularities: Granularity[]) {
  return {
    task: 'transcribe',
    language,
    duration: rounded(duration),
    text,
    ...(granularities.includes('word') && {
      words: segments.flatMap(({ words }) =>
        words.map((word) => ({ ...word, start: rounded(word.start), end: rounded(word.end) })),
      ),
    }),
    ...((granularities.length === 0 || granularities.includes('segment')) && {
      segments: segments.map(({ start, end, words }, id) => ({
        id,
        start: rounded(start),
        end: rounded(end),
        text: ` ${textOf(words)}`,
      })),
    }),
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function captions({ segments }: Transcript, decimalPoint: string, numbered: boolean): string {
  return segments
    .map(({ start, end, words }, index) => {
      const times = `${clock(start, decimalPoint)} --> ${clock(end, decimalPoint)}`;
      return `${numbered ? `${index + 1}\n` : ''}${times}\n${textOf(words)}\n`;
    })
    .join('\n');
}

/** `01:02:03.456`, as WebVTT wants it; SRT has a comma. */
function clock(seconds: number, decimalPoint: string): string {
  const [time = '', fraction = ''] = new Date(Math.round(seconds * 1000))
    .toISOString()
    .slice(11, 23)
    .split('.');
  return `${time}${decimalPoint}${fraction}`;
}
