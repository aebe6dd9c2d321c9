import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { KEEP_INSTALL_PROMPT } from '@/components/device/install/install-prompt';
import { SavedEntriesGuard } from '@/components/journal/saved-entries/saved-entries-guard';
import { PREVIEW } from '@/components/landing/pictures';
import { Navigation } from '@/components/shell/nav/navigation';
import { THEME_COLORS, THEME_SCRIPT } from '@/components/shell/theme/theme-script';
import { AccountStorage } from '@/components/ui/account-storage';
import { EARLY_PRESSES } from '@/components/ui/early-presses';
import { NewVersionNotice } from '@/components/ui/new-version-notice';
import { RETRY_FILES } from '@/components/ui/retry-files';
import { isSignupOpen } from '@/lib/account/invitations/service';
import { currentTheme } from '@/lib/account/preferences/current';
import { getCurrentUser } from '@/lib/account/sessions/guards';
import { env } from '@/lib/foundation/env';
import { readPageHeaders } from '@/lib/foundation/http/page-headers';
import { figtree, figtreeExtended, literata, literataExtended } from './fonts/fonts';
import './globals.css';

const TITLE = 'Daylight, a private video journal';
const DESCRIPTION = 'A private video journal. Record your day, read every word, and find any moment again.';

const METADATA: Metadata = {
  title: { default: TITLE, template: '%s · Daylight' },
  description: DESCRIPTION,
  applicationName: 'Daylight',
  appleWebApp: { capable: true, title: 'Daylight', statusBarStyle: 'default' },
  formatDetection: { telephone: false, date: false, email: false, address: false },
};

/** What a link to the site looks like elsewhere: the same for every page, since journals are nobody else's. */
const LINK_PREVIEW: Metadata = {
  openGraph: {
    type: 'website',
    siteName: 'Daylight',
    title: TITLE,
    description: DESCRIPTION,
    images: [PREVIEW],
  },
  twitter: { card: 'summary_large_image', title: TITLE, description: DESCRIPTION, images: [PREVIEW] },
};

/**
 * Returns what every page says about itself. Previews of links are made for visitors, so pages for members don't spend
 * time on them. The site's address is a setting of the run, so this isn't of the build.
 */
export async function generateMetadata(): Promise<Metadata> {
  await connection();
  if (await getCurrentUser()) return METADATA;
  return { ...METADATA, ...LINK_PREVIEW, metadataBase: new URL(env().APP_URL) };
}

export async function generateViewport(): Promise<Viewport> {
  const theme = await currentTheme();
  const isFixed = theme === 'light' || theme === 'dark';
  return {
    width: 'device-width',
    initialScale: 1,
    viewportFit: 'cover',
    colorScheme: isFixed ? theme : 'light dark',
    themeColor: isFixed
      ? THEME_COLORS[theme]
      : [
          { media: '(prefers-color-scheme: light)', color: THEME_COLORS.light },
          { media: '(prefers-color-scheme: dark)', color: THEME_COLORS.dark },
        ],
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const page = readPageHeaders(await headers());
  const [user, theme] = await Promise.all([getCurrentUser(), currentTheme()]);
  const account = user?.id ?? (page?.isSessionUnknown ? undefined : null);
  const fonts = [figtree, figtreeExtended, literata, literataExtended].map((font) => font.variable).join(' ');
  // That page brings its own navigation, and is the same for everybody, since it's cached.
  const content =
    page?.path === '/offline' ? (
      children
    ) : (
      <>
        <AccountStorage account={account} />
        <SavedEntriesGuard account={account} />
        <Navigation user={user} theme={theme} offersSignup={isSignupOpen()} />
        <main id="content" tabIndex={-1} className="flex grow flex-col focus:outline-none">
          {children}
        </main>
      </>
    );
  return (
    // In a cached page, the script sets the theme before React looks.
    <html lang="en" className={fonts} data-theme={theme} suppressHydrationWarning>
      <head>
        <script
          nonce={page?.nonce}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: fixed text, and React would escape it as a child
          dangerouslySetInnerHTML={{
            __html: RETRY_FILES + THEME_SCRIPT + EARLY_PRESSES + KEEP_INSTALL_PROMPT,
          }}
        />
      </head>
      <body className="flex flex-col font-sans">
        <a
          href="#content"
          className="sr-only z-50 rounded-8 bg-accent px-4 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        {content}
        <NewVersionNotice />
      </body>
    </html>
  );
}
