import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, isExecutable } from '@/lib/video/media/executables';
import type { Engine } from './page';
import { chromiumEngine, firefoxEngine } from './playwright-engine';
import { webkitEngine } from './webkit-engine';

const LIBRARIES = '/usr/lib';

/** Returns WebKitGTK's own browser, which is in a folder of libraries and not on PATH. */
function findMiniBrowser(): string | null {
  const machine = readdirSync(LIBRARIES).filter((name) => name.endsWith('-linux-gnu'));
  return (
    machine
      .flatMap((name) =>
        ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((api) => join(LIBRARIES, name, api, 'MiniBrowser')),
      )
      .find(isExecutable) ?? null
  );
}

/**
 * Returns the browsers of this machine.
 * @param only their names in lower case; all without it
 * @throws Error that says how to install what's missing
 */
export function findEngines(only?: string[]): Engine[] {
  const wants = (name: string) => !only || only.includes(name);
  const found = {
    firefox: findOnPath('firefox-esr') ?? findOnPath('firefox'),
    driver: findOnPath('WebKitWebDriver'),
    miniBrowser: findMiniBrowser(),
    xvfb: findOnPath('Xvfb'),
  };
  const { firefox, driver, miniBrowser, xvfb } = found;
  const missing: string[] = [];
  const engines: Engine[] = [];
  if (wants('chromium')) engines.push(chromiumEngine());
  if (wants('firefox')) {
    if (firefox) engines.push(firefoxEngine(firefox));
    else missing.push('firefox-esr');
  }
  if (wants('webkit')) {
    if (driver && miniBrowser && xvfb) engines.push(webkitEngine({ driver, miniBrowser, xvfb }));
    else
      missing.push(
        'webkit2gtk-driver',
        'xvfb',
        'gstreamer1.0-plugins-good',
        'gstreamer1.0-plugins-bad',
        'gstreamer1.0-libav',
      );
  }
  if (missing.length > 0) {
    throw new Error(
      `Browsers are missing. Install them (Debian) with:\n  apt-get install -y --no-install-recommends ${missing.join(' ')}`,
    );
  }
  if (engines.length === 0) throw new Error(`There's no such browser. Choose chromium, firefox, or webkit.`);
  return engines;
}
