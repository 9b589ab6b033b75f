import { Fragment, type ReactNode } from 'react';

/** A URL that is broken into lines after its separators rather than inside a name. */
export function UrlText({ url }: { url: string }): ReactNode {
  return url.split(/(?<=[^/:]\/|[.?&=-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal, and their order never changes.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
