import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/** A link to another site if the address is http or https, and text otherwise: addresses come from targets. */
export function OutsideLink({ href, children }: { href: string; children?: ReactNode }): ReactNode {
  const url = URL.parse(href);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return children ?? href;
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer" inherit>
      {children ?? href}
    </Anchor>
  );
}
