import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { KEEP_INSTALL_PROMPT } from '@/components/install/install-prompt';
import { Navigation } from '@/components/nav/navigation';
import { AccountStorage } from '@/components/ui/account-storage';
import { EARLY_PRESSES } from '@/components/ui/early-presses';
import { NewVersionNotice } from '@/components/ui/new-version-notice';
import { RETRY_FILES } from '@/components/ui/retry-files';
import { isSignupOpen } from '@/lib/invitations/service';
import { getCurrentUser, isSessionUnknown } from '@/lib/sessions/guards';
import { figtree, figtreeExtended, literata, literataExtended } from './fonts/fonts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Daylight, a private video journal', template: '%s · Daylight' },
  description: 'A private video journal. Record your day, read every word, and find any moment again.',
  applicationName: 'Daylight',
  appleWebApp: { capable: true, title: 'Daylight', statusBarStyle: 'default' },
  formatDetection: { telephone: false, date: false, email: false, address: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8faf8' },
    { media: '(prefers-color-scheme: dark)', color: '#0d110f' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const asked = await headers();
  const user = await getCurrentUser();
  const fonts = [figtree, figtreeExtended, literata, literataExtended].map((font) => font.variable).join(' ');
  return (
    <html lang="en" className={fonts}>
      <head>
        <script
          nonce={asked.get('x-nonce') ?? undefined}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: fixed text, and React would escape it as a child
          dangerouslySetInnerHTML={{ __html: RETRY_FILES + EARLY_PRESSES + KEEP_INSTALL_PROMPT }}
        />
      </head>
      <body className="flex flex-col font-sans">
        <a
          href="#content"
          className="sr-only z-50 rounded-8 bg-accent px-4 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        {/* That page brings its own navigation, and is the same for everybody, since it's cached. */}
        {asked.get('x-path') === '/offline' ? (
          children
        ) : (
          <>
            <AccountStorage account={user?.id ?? ((await isSessionUnknown()) ? undefined : null)} />
            <Navigation
              who={!user ? 'nobody' : user.verified ? 'member' : 'unverified'}
              offersSignup={isSignupOpen()}
            />
            <main id="content" tabIndex={-1} className="flex grow flex-col focus:outline-none">
              {children}
            </main>
          </>
        )}
        <NewVersionNotice />
      </body>
    </html>
  );
}
