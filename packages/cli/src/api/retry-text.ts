import type { Retry } from '@sortie/sdk';

/** Messages of the service are sentences; what follows here makes a longer one of them. */
export const retryText = ({ error, delayMs }: Pick<Retry, 'delayMs'> & { error: Error }): string =>
  `${error.message.replace(/[.\s]+$/, '')}; trying again in ${Math.ceil(delayMs / 1_000)} s`;
