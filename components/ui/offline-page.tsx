import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useCallback, useContext } from 'react';

const OfflinePageContext = createContext(false);

/** Tells what's below it that this is the page that's shown without a network. */
export function OfflinePageProvider({ children }: { children: ReactNode }) {
  return <OfflinePageContext value={true}>{children}</OfflinePageContext>;
}

/** Returns whether this is the page that's shown without a network. */
export const useIsOfflinePage = (): boolean => useContext(OfflinePageContext);

type Navigate = (href: string, options?: { replace?: boolean }) => void;

/** Returns how to go to another page of the site. On the page for no network, that loads a whole page: the router would ask the server. */
export function useNavigate(): Navigate {
  const router = useRouter();
  const isOfflinePage = useIsOfflinePage();
  return useCallback(
    (href, { replace = false } = {}) => {
      if (isOfflinePage) location[replace ? 'replace' : 'assign'](href);
      else router[replace ? 'replace' : 'push'](href);
    },
    [router, isOfflinePage],
  );
}
