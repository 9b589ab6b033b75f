import { useEffect, useState } from 'react';
import { isTyping } from '../shell/keys.ts';

interface RowKeys {
  open(index: number): void;
  /** Scrolls to the row. */
  show(index: number): void;
}

/** `j` and `k` move through the rows of a list, Enter opens the current one. Returns its index. */
export function useRowKeys(count: number, { open, show }: RowKeys): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      const step = { j: 1, k: -1 }[event.key];
      if (step !== undefined && count > 0) {
        const next = Math.min(count - 1, Math.max(0, current + step));
        setCurrent(next);
        show(next);
      } else if (event.key === 'Enter' && current >= 0 && event.target === document.body) {
        open(current);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  return current;
}
