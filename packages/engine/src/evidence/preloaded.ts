/** Browsers know these suffixes as https only, with all that lies below them. */
const suffixes = new Set(
  'app bank boo channel dad day dev esq foo ing insurance meme mov new nexus page phd prof rsvp zip'.split(' '),
);

/** Whether no browser ever goes there by plain http. */
export const isPreloaded = (hostname: string) => suffixes.has(hostname.slice(hostname.lastIndexOf('.') + 1));
