import type { Page } from '@playwright/test';
import { postNote } from '@/lib/journal/notes/contract';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';
import { insertLongTranscript, openPhone } from './phone-steps';
import { clip, openPlayer, seekBar, timeOf } from './player-steps';

const pins = (page: Page) => page.getByRole('button', { name: /^Notes? \d/ });
const words = (page: Page) => page.getByRole('group', { name: 'Transcript words' });

interface DomNode {
  nodeId: number;
  nodeValue: string;
  children?: DomNode[];
  shadowRoots?: DomNode[];
}

/** Returns the element around a text that's anywhere in a document, also inside of what the browser draws itself. */
function elementAround(node: DomNode, text: string): DomNode | null {
  for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) {
    if (child.nodeValue.startsWith(text)) return node;
    const found = elementAround(child, text);
    if (found) return found;
  }
  return null;
}

/** The computed styles of the caption that the browser shows; null while it shows none. */
async function captionOnScreen(page: Page): Promise<Record<string, string> | null> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { node } = await session.send('DOM.describeNode', {
      objectId: (await session.send('Runtime.evaluate', { expression: "document.querySelector('video')" }))
        .result.objectId,
      depth: -1,
      pierce: true,
    });
    await session.send('DOM.getDocument', { depth: 0 });
    const around = elementAround(node as DomNode, 'I keep');
    if (!around) return null;
    const { nodeIds } = await session.send('DOM.pushNodesByBackendIdsToFrontend', {
      backendNodeIds: [(around as DomNode & { backendNodeId: number }).backendNodeId],
    });
    const { computedStyle } = await session.send('CSS.getComputedStyleForNode', { nodeId: nodeIds[0] ?? 0 });
    return Object.fromEntries(computedStyle.map(({ name, value }) => [name, value]));
  } finally {
    await session.detach();
  }
}

test('notes about moments are on the time bar and between the words', async ({ page, api, upload, sql }) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await insertLongTranscript(sql, id);
  await api.call(postNote, { params: { id }, body: { text: 'About all of it' } });
  await api.call(postNote, { params: { id }, body: { text: 'Ask Marcus.', moment: 20.5 } });
  const video = await openPlayer(page, `/entry/${id}?t=6`);
  await expect(pins(page)).toHaveCount(1);
  await expect.poll(() => timeOf(video)).toBeCloseTo(6, 1);

  await test.step('as they’re added, changed, deleted, and brought back', async () => {
    await page.getByRole('textbox', { name: 'Additional notes' }).fill('He said proud.');
    await page.getByLabel('Attach at').check();
    await page.getByRole('button', { name: 'Post Note' }).click();
    await expect(pins(page)).toHaveCount(2);
    await expect(pins(page).first()).toHaveAccessibleName('Note 1 at 0:06: He said proud.');
    await expect(pins(page).nth(1)).toHaveAccessibleName('Note 2 at 0:20: Ask Marcus.');

    const between = words(page).getByRole('link', { name: 'Your note at 0:06' });
    await expect(between).toContainText('He said proud.');
    const paragraph = await between.evaluate((link) => link.previousElementSibling?.textContent);
    expect(paragraph).toContain('We did not talk about the big thing.');

    const notes = page.getByRole('region', { name: 'Notes' }).getByRole('listitem');
    await notes.first().getByRole('button', { name: 'Edit note' }).click();
    await page.getByRole('textbox', { name: 'Edit note' }).fill('He was proud.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(pins(page).first()).toHaveAccessibleName('Note 1 at 0:06: He was proud.');
    await expect(between).toContainText('He was proud.');

    await notes.first().getByRole('button', { name: 'Delete note' }).click();
    await expect(pins(page)).toHaveCount(1);
    await expect(between).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(pins(page)).toHaveCount(2);
  });

  await test.step('a pin goes to its moment, by a press or a key', async () => {
    await pins(page).nth(1).click();
    await expect.poll(() => timeOf(video)).toBeCloseTo(20.5, 1);
    await pins(page).nth(1).focus();
    await page.keyboard.press('Shift+Tab');
    await expect(pins(page).first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => timeOf(video)).toBeCloseTo(6, 1);
    await expectAccessible(page);
  });

  await test.step('a note between the words leads to the note in the list', async () => {
    await words(page).getByRole('link', { name: 'Your note at 0:20' }).click();
    await expect(page).toHaveURL(/#note-/);
    await expect(page.locator(':target')).toContainText('Ask Marcus.');
    await expect(page.locator(':target')).toBeInViewport();
  });
});

test('pins that would overlap are one, and part where there’s space', async ({
  api,
  account,
  app,
  browser,
  signIn,
  upload,
  watch,
}) => {
  const { id } = await upload(await clip());
  for (const moment of [3, 12, 13.5, 15]) {
    await api.call(postNote, { params: { id }, body: { text: `At ${moment}`, moment } });
  }
  const { page, context } = await openPhone({ account, app, browser, signIn, watch });
  await openPlayer(page, `/entry/${id}`);
  await expect(pins(page)).toHaveText(['1', '2–4']);
  await expect(pins(page).nth(1)).toHaveAccessibleName('Notes 2 to 4 from 0:12: At 12');
  for (const pin of await pins(page).all()) {
    const box = await pin.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await expect(page.getByRole('link', { name: '4 notes' })).toBeVisible();
  await page.setViewportSize({ width: 1360, height: 844 });
  await expect(pins(page)).toHaveText(['1', '2–3', '4']);
  await context.close();
});

test('a link to a moment is copied, and asks whoever opens it to log in', async ({
  page,
  context,
  account,
  app,
  guest,
  upload,
}) => {
  const { id } = await upload(await clip());
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copied = page.getByText('Link copied. Only you can open it, after logging in.');
  const video = await openPlayer(page, `/entry/${id}?t=12.7`);
  await expect.poll(() => timeOf(video)).toBeCloseTo(12.7, 1);
  await seekBar(page).hover();
  await page.getByRole('button', { name: 'More controls' }).click();
  await page.getByRole('button', { name: 'Copy link to this moment' }).click();
  await expect(copied).toBeVisible();
  expect(await clipboard()).toBe(`${app.url}/entry/${id}?t=12`);

  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 8.2;
  });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy link to this moment' }).click();
  await expect.poll(clipboard).toBe(`${app.url}/entry/${id}?t=8`);

  await guest.goto(await clipboard());
  await expect(guest).toHaveURL(`/login?next=${encodeURIComponent(`/entry/${id}?t=8`)}`);
  await guest.getByLabel('Email').fill(account.email);
  await guest.getByLabel('Password').fill(account.password);
  await guest.getByRole('button', { name: 'Login' }).click();
  await guest.waitForURL(`/entry/${id}?t=8`);
  await expect.poll(() => timeOf(guest.locator('video'))).toBeCloseTo(8, 1);
});

test('captions are in the typeface of what people said, sized by the player', async ({
  page,
  upload,
  sql,
}) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await insertLongTranscript(sql, id);
  await openPlayer(page, `/entry/${id}?t=1`);
  await page.getByRole('button', { name: 'Captions' }).click();
  await expect(page.getByRole('button', { name: 'Captions' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await captionOnScreen(page))?.['font-family']).toMatch(/^literata/i);
  const size = async () => Number.parseFloat((await captionOnScreen(page))?.['font-size'] ?? '');
  const wide = await size();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(size).toBeLessThan(wide);
  expect(await size()).toBeGreaterThanOrEqual(15);
});
