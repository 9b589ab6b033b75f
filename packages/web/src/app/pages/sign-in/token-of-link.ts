/** The token of the link that was followed. It is in the fragment, which browsers send to no server. */
export const tokenOfLink = (): string => location.hash.slice(1);
