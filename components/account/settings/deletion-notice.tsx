import { LocalTime } from '@/components/ui/local-time';
import { KeepAccount } from './keep-account';

/** Says on every page of the settings when the account will be deleted. */
export function DeletionNotice({ erasesAt }: { erasesAt: Date }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-12 bg-sunken py-2 pr-2 pl-4">
      <p className="text-15">
        Your account will be deleted on <LocalTime iso={erasesAt.toISOString()} />.
      </p>
      <KeepAccount then="/settings" size="sm" />
    </div>
  );
}
