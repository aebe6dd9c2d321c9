import './countdown-number.css';

/** The number over the picture until the recording begins. */
export function CountdownNumber({ left }: { left: number }) {
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center bg-black/35">
      <p
        key={left}
        aria-hidden="true"
        className="countdown-number font-serif text-[120px] leading-none font-medium text-white tabular-nums text-shadow-lg sm:text-[176px]"
      >
        {left}
      </p>
      <p role="status" className="sr-only">
        Recording starts in {left}
      </p>
    </div>
  );
}
