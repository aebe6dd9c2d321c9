import type { Locator } from '@playwright/test';
import { expect } from '../fixtures';

/** A way to use a page: with a mouse, by touch, or by keyboard alone. */
export interface Input {
  /** Presses a button or a link. */
  press(control: Locator): Promise<void>;
  /** Replaces the text of a field, or chooses an option. */
  enter(field: Locator, text: string): Promise<void>;
}

async function fill(field: Locator, text: string): Promise<void> {
  const isList = await field.evaluate((element) => element instanceof HTMLSelectElement);
  await (isList ? field.selectOption({ label: text }) : field.fill(text));
}

export const mouse: Input = { press: (control) => control.click(), enter: fill };

export const touch: Input = { press: (control) => control.tap(), enter: fill };

/** How far Tab may have to go: around the longest page once. */
const MAX_TABS = 80;

/** Runs in the page. @returns what has the focus, if that's outside of the window or covered; otherwise '' */
function findHiddenFocus(): string {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return '';
  const { left, top, right, bottom } = focused.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, window.innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, window.innerHeight)) / 2;
  const hit = document.elementFromPoint(x, y);
  const isSeen = hit !== null && (focused.contains(hit) || hit.contains(focused));
  return isSeen ? '' : focused.outerHTML.slice(0, 200);
}

/** Presses Tab until a control has the focus, which is never out of sight on the way. */
async function tabTo(control: Locator): Promise<void> {
  const page = control.page();
  await expect(control).toBeVisible();
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; !(await hasFocus()); tabs += 1) {
    expect(tabs, `presses of Tab to ${control}`).toBeLessThan(MAX_TABS);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(findHiddenFocus), 'nothing hides the focus').toBe('');
  }
}

export const keyboard: Input = {
  press: async (control) => {
    await tabTo(control);
    await control.page().keyboard.press('Enter');
  },
  // Tab selects what's in a field. A list goes to the option that's typed.
  enter: async (field, text) => {
    await tabTo(field);
    const isDate = (await field.getAttribute('type')) === 'date';
    await field.page().keyboard.type(isDate ? text.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1') : text);
    await expect(field).toHaveValue(text);
  },
};

/** Expects that a control is whole inside the window, large enough to hit, and covered by nothing. */
export async function expectReachable(control: Locator): Promise<void> {
  const measure = () =>
    control.evaluate((element) => {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      return {
        isInside: left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight,
        isLarge: Math.min(width, height) >= 44,
        isClear: element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)),
      };
    });
  await expect
    .poll(measure, `${control} can be reached`)
    .toEqual({ isInside: true, isLarge: true, isClear: true });
}

/** Scrolls to a control as a person would, and expects that it can be reached there. */
export async function expectReachableByScrolling(control: Locator): Promise<void> {
  await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await expectReachable(control);
}
