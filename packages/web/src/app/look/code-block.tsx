import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';

/** Commands to copy, over the whole width, with the button beside them. */
export function CodeBlock({ text, label }: { text: string; label?: string }): ReactNode {
  return (
    <div className="code-block">
      <pre className="message-text">{text}</pre>
      <Copy value={text} {...(label && { label })} />
    </div>
  );
}
