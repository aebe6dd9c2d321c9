import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { getEntry } from '@/lib/journal/entries/contract';
import { type BrowserPage, button, css, field, link, see, text, until } from '../page';
import { expectAdvances, expectAt, type Journey, waitForVideo } from './journey';

/** Returns the pixels in the middle of the first video, as they are on screen. */
async function pictureOf(page: BrowserPage, file: string): Promise<Buffer> {
  const box = await page.evaluate(() => {
    const { left, top, width, height } =
      document.querySelector('video')?.getBoundingClientRect() ?? new DOMRect();
    const scale = window.devicePixelRatio;
    return [width / 2, height / 4, left + width / 4, top + height / 4].map((value) =>
      Math.round(value * scale),
    );
  });
  await page.screenshot(file);
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-vf',
    `crop=${box.join(':')}`,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    '-',
  ];
  return execFileSync('ffmpeg', args, { maxBuffer: 64_000_000 });
}

export const play: Journey = {
  name: 'Play six entries',
  async run({ page, entries, folder }) {
    for (const { id, title } of entries) {
      await page.goto(`/entry/${id}`);
      await waitForVideo(page);
      const before = await pictureOf(page, join(folder, 'frame.png'));
      await page.click(button('Play'));
      await expectAdvances(page);
      await until(
        `${title}: its picture changes`,
        async () => (await pictureOf(page, join(folder, 'frame.png'))).equals(before),
        (same) => !same,
      );
    }
  },
};

export const words: Journey = {
  name: 'Seek by a word',
  async run({ page, entries: [first] }) {
    await page.goto(`/entry/${first?.id}`);
    await waitForVideo(page);
    await page.click(text(/^laughed\.$/));
    await expectAdvances(page);
    await expectAt(page, 2.1, 4.1);
    await page.goto(`/entry/${first?.id}?t=2.5`);
    await expectAt(page, 2.2, 2.8);
  },
};

export const captions: Journey = {
  name: 'Captions',
  async run({ page, entries: [first] }) {
    await page.goto(`/entry/${first?.id}?t=0.6`);
    await waitForVideo(page);
    await page.click(button('Captions'));
    await until(
      'the words are on the picture',
      () =>
        page.evaluate(() => {
          const track = document.querySelector('video')?.textTracks[0];
          return [track?.mode, [...(track?.activeCues ?? [])].map((cue) => (cue as VTTCue).text).join()];
        }),
      ([mode, shown]) => mode === 'showing' && Boolean(shown?.includes('called')),
    );
    await page.click(button('Captions'));
  },
};

export const search: Journey = {
  name: 'Search and jump to the moment',
  async run({ page }) {
    await page.goto('/');
    await page.fill({ role: 'searchbox', name: 'Search your entries' }, 'laughed');
    await page.press('Enter');
    await page.click(link(/^Play from/));
    await until(
      'the entry',
      () => page.evaluate(() => window.location.href),
      (href) => /\/entry\/.*t=\d/.test(href),
    );
    await waitForVideo(page);
    await expectAt(page, 0.5, 2.5);
  },
};

export const edit: Journey = {
  name: 'Edit title, date, transcript, tags, and notes',
  async run({ page, account, engine, entries: [first] }) {
    const id = first?.id ?? '';
    const now = () => account.api.call(getEntry, { params: { id } });
    await page.goto(`/entry/${id}`);
    await waitForVideo(page);
    await page.fill(field('Title'), `Edited in ${engine.name}`);
    await page.press('Enter');
    await until('the title is saved', now, ({ title }) => title === `Edited in ${engine.name}`);
    await page.click(button('Edit'));
    await page.fill({ role: 'textbox', name: 'Transcript text' }, 'I called Dad today. Dad laughed.');
    await page.click(button('Save'));
    await until('the words are saved', now, ({ transcription }) => transcription.words[2]?.word === 'Dad');
    await page.fill({ role: 'combobox', name: 'Add tag' }, 'Family');
    await page.press('Enter');
    await until('the tag is saved', now, ({ tags }) => tags.some(({ name }) => name === 'Family'));
    await page.fill(field('Additional notes'), 'A note');
    await page.click(button('Post Note'));
    await see(page, css('#notes li'));
    await page.reload();
    for (const shown of [/called Dad|Dad/, 'A note', 'Family']) await see(page, text(shown));
  },
};

export const exportJournal: Journey = {
  name: 'Export the journal',
  async run({ page }) {
    await page.goto('/settings/data');
    await page.click(button('Prepare download'));
    await see(page, text(/Available until/), 60_000);
    const archive = await page.download(button(/^Download Daylight/));
    const zip = new ZipReader(new Uint8ArrayReader(archive), { checkSignature: true });
    const videos = (await zip.getEntries()).filter(({ filename }) => /\.(mp4|webm|mov)$/.test(filename));
    if (videos.length < 6) throw new Error(`The archive has ${videos.length} videos.`);
    return `${videos.length} videos`;
  },
};
