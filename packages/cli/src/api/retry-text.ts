import type { Retry } from '@sortie/sdk';

/** Drops the full stop of the service's message, because the sentence continues. */
export const retryText = ({ error, delayMs }: Pick<Retry, 'delayMs'> & { error: Error }): string =>
  `${error.message.replace(/[.\s]+$/, '')}; retrying in ${Math.ceil(delayMs / 1_000)} s`;
