import { SELECT_BUTTON_ID, useSelection } from './selection';

/** Starts and ends selecting entries. */
export function SelectButton() {
  const { isActive, start, end } = useSelection();
  return (
    <button
      id={SELECT_BUTTON_ID}
      type="button"
      onClick={isActive ? end : start}
      className="inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken"
    >
      {isActive ? 'Cancel' : 'Select'}
    </button>
  );
}
