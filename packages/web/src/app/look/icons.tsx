import type { ReactNode } from 'react';

/** Drawn with the color and at the size of the text around them. */
const paths = {
  home: 'M3 11 12 4l9 7v9h-6v-6H9v6H3z',
  target: 'M12 3v4m0 10v4M3 12h4m10 0h4M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  run: 'M7 4v16l13-8z',
  finding: 'M12 3 2 20h20zM12 10v4m0 3v.01',
  scan: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 5 5',
  credits: 'M3 6h18v12H3zm0 4h18M7 15h3',
  settings: 'M4 7h10m4 0h2M4 17h2m4 0h10M16 4v6M8 14v6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3m0 14v3M2 12h3m14 0h3M5 5l2 2m10 10 2 2M5 19l2-2M17 7l2-2',
  moon: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
  system: 'M3 5h18v11H3zM9 20h6m-3-4v4',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 5 5',
  download: 'M12 4v11m-5-5 5 5 5-5M4 20h16',
  check: 'm4 12 6 6L20 6',
  cross: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4v5l4 2',
  choose: 'm8 10 4-4 4 4m-8 4 4 4 4-4',
  out: 'M10 4H4v16h6m4-12 4 4-4 4m4-4H9',
  critical: 'M12 3 2 20h20zM12 10v4m0 3v.01',
  high: 'm4 15 8-8 8 8M4 20l8-8 8 8',
  medium: 'm4 16 8-8 8 8',
  low: 'm4 8 8 8 8-8',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 8v6m0-10v.01',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = '1.1em' }: { name: IconName; size?: string | number }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flexShrink: 0 }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
