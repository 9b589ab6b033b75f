import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreenPath } from './use-account.ts';

/** A link to a screen of the account, for example `runs/pen_1` or `runs?target=…`. */
export function ScreenLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const [path = '', query = ''] = to.split('?');
  const search = Object.fromEntries(new URLSearchParams(query));
  return (
    <Anchor component={Link} to={useScreenPath()(path) as '/'} search={search as never} inherit>
      {children}
    </Anchor>
  );
}
