/** Fills a thumbnail's place where there is none, and won't be: somebody in front of a window. */
export function NoThumbnail() {
  return (
    <svg viewBox="0 0 640 360" className="size-full" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width="640" height="360" className="fill-sunken" />
      <rect x="60" y="44" width="150" height="170" rx="10" className="fill-line" opacity=".55" />
      <circle cx="320" cy="158" r="62" className="fill-line" />
      <path d="M170 360c14-78 74-116 150-116s136 38 150 116z" className="fill-line" />
    </svg>
  );
}
