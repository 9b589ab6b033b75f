import { useEffect, useRef } from 'react';

/** Whether the key belongs to a field or a dialog rather than to the page. */
export function isTyping({ target }: KeyboardEvent): boolean {
  const element = target instanceof Element ? target : null;
  return element?.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"]') != null;
}

const SEQUENCE_MS = 1_500;

/** Calls what belongs to a key, or to `g` followed by a letter. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const prefix = useRef({ at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      const isSecond = event.timeStamp - prefix.current.at < SEQUENCE_MS;
      prefix.current.at = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const action = keys[isSecond ? `g ${event.key}` : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
