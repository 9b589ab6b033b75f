import type { ReactNode } from 'react';

/** The sign of the product. */
export function Mark({ size = 26 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flexShrink: 0 }}>
      <rect width="32" height="32" rx="7" fill="#3b3fbf" />
      <path d="M7 21 25 7l-6 18-4-7z" fill="#fff" />
    </svg>
  );
}
