import type { Page } from '@playwright/test';

/** Holds the calls that a page makes to these addresses. @returns lets them go, and those to come */
export async function pauseRequests(page: Page, addresses: string | RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
