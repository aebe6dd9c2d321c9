import type { ReactNode } from 'react';

// biome-ignore lint/style/noDefaultExport: Next reads it so
export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
